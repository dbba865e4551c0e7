// The address of an issue or pull request, checked while it is written.
import { TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useClient } from "../../data/client-context.tsx";
import { meQuery } from "../../data/me-data.ts";
import { gitAddressWords } from "../../lib/git-words.ts";

interface GitLinkFieldProps {
  value: string;
  onChange: (url: string) => void;
  error?: string | null;
}

export const GitLinkField = ({ value, onChange, error }: GitLinkFieldProps) => {
  const { data: me } = useQuery(meQuery(useClient()));
  const [isLeft, setIsLeft] = useState(false);
  const url = value.trim();
  const words = me && url ? gitAddressWords(me.git_url, url) : null;
  const isWrong = isLeft && url !== "" && me !== undefined && words === null;
  return (
    <TextInput
      label="Issue or pull request"
      description={words ?? "Its address on the git host, if there is one."}
      placeholder={`${me?.git_url ?? ""}/owner/repo/issues/1`}
      type="url"
      dir="ltr"
      maxLength={2_048}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onFocus={() => setIsLeft(false)}
      onBlur={() => setIsLeft(true)}
      error={error ?? (isWrong && `This is no issue or pull request on ${me.git_url}.`)}
    />
  );
};
