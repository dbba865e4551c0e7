-- A look at an unchanged repository writes one row, not every agent type (D-32); an organization shows so many findings and no more.

alter table agent_syncs
  add confirmed_at timestamptz(3); -- when the active agent types were last found to be what the repository holds

-- The first findings, and one more that counts the others: a list of organizations must stay small enough to be sent.
create function shown_findings(findings jsonb) returns jsonb language sql immutable
return case
  when jsonb_array_length(findings) <= 100 then findings
  else jsonb_path_query_array(findings, '$[0 to 98]') || jsonb_build_object(
    'path', 'personas', 'line', null, 'detail', (jsonb_array_length(findings) - 99) || ' more are not shown.'
  )
end;
