// A persona as one text, so that two of them can be compared line by line.

export interface Persona {
  name: string;
  description: string;
  body: string;
}

/** What its file says, whatever its front matter's layout was. */
export const personaText = ({ name, description, body }: Persona): string =>
  `name: ${name}\ndescription: ${description}\n\n${body.trimStart()}`;
