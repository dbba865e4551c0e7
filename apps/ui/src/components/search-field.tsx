// The words searched for: passed on once the typing rests; `/` comes here, Escape clears.
import { Kbd, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useKeyBindings } from "../lib/key-bindings.ts";
import classes from "./search-field.module.css";

interface SearchFieldProps {
  label: string;
  placeholder: string;
  value: string;
  onChange: (q: string) => void;
}

const restMs = 200;

export const SearchField = ({ label, placeholder, value, onChange }: SearchFieldProps) => {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const passedOn = useRef(value);
  const passOn = useEffectEvent((q: string) => {
    passedOn.current = q;
    if (q !== value) onChange(q);
  });

  // What changes elsewhere (Back, "Clear all") shows here; what is only this field coming back does not.
  useEffect(() => {
    if (value === passedOn.current) return;
    passedOn.current = value;
    setText(value);
  }, [value]);

  useEffect(() => {
    const q = text.trim();
    if (q === passedOn.current) return;
    const timer = setTimeout(() => passOn(q), restMs);
    return () => clearTimeout(timer);
  }, [text]);

  useKeyBindings({ "/": () => input.current?.focus() });

  return (
    <TextInput
      ref={input}
      type="search"
      role="searchbox"
      className={classes.field ?? ""}
      aria-label={label}
      aria-keyshortcuts="/"
      placeholder={placeholder}
      maxLength={200}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        text ? null : (
          <Kbd aria-hidden visibleFrom="sm">
            /
          </Kbd>
        )
      }
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") return passOn(text.trim());
        if (event.key !== "Escape") return;
        event.preventDefault();
        if (!text) return event.currentTarget.blur();
        setText("");
        passOn("");
      }}
    />
  );
};
