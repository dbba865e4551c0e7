// Prompts as people write them: few words very often, most of them seldom; and four words whose frequency a search can count on.
import type { RandomSource } from "./random-source.ts";

/** In so many of all tasks. */
export const markedWords = { frequent: 0.2, common: 0.01, uncommon: 0.0001 } as const;
/** In one single task, in the middle of all. */
export const rareWord = "rareness";

const words = 30_000;
const consonants = "bdfgklmnprstvz";
const vowels = "aeiou";
const longPromptShare = 0.0001;
const longPromptCharacters = 20_000;

/** The n-th of many syllables put together: short words first. */
const wordOf = (n: number): string => {
  const syllables = consonants.length * vowels.length;
  const syllable = `${consonants[Math.floor((n % syllables) / vowels.length)]}${vowels[n % vowels.length]}`;
  return n < syllables ? `${syllable}n` : wordOf(Math.floor(n / syllables) - 1) + syllable;
};

const tableBits = 16;

/** By Zipf's law: the n-th word comes 1/n times as often as the first. Drawn from a table, as eighty million of them are. */
const wordTable = (): string[] => {
  const harmonic = Array.from({ length: words }, (_, n) => 1 / (n + 1)).reduce((sum, share) => sum + share);
  const table: string[] = [];
  let reached = 0;
  for (let n = 0; n < words; n += 1) {
    reached += 1 / (n + 1) / harmonic;
    while (table.length < reached * 2 ** tableBits) table.push(wordOf(n));
  }
  return table;
};

/** Answers the prompt of the n-th task: begins with a line that has a number of its own. */
export const createPrompts = (random: RandomSource, tasks: number): ((n: number) => string) => {
  const table = wordTable();
  const marked = Object.entries(markedWords);
  const draw = (): string => {
    // Half a per cent of all words are of the whole vocabulary alike, so that even the last of them occur.
    if (random.chance(0.005)) return wordOf(random.below(words));
    return table[random.below(table.length)] ?? "";
  };
  return (n) => {
    const title = `${draw()} ${draw()} ${draw()} ${100_000 + n}`;
    const marks = marked.flatMap(([word, share]) => (random.chance(share) ? [word] : []));
    if (n === Math.floor(tasks / 2)) marks.push(rareWord);
    const characters = random.chance(longPromptShare) ? longPromptCharacters : 300 + random.below(500);
    let text = `${title}\n\n${marks.join(" ")}`;
    while (text.length < characters) text += ` ${draw()}`;
    return text;
  };
};
