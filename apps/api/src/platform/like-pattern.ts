// Finds text anywhere with LIKE: what the caller wrote is matched literally.

export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`;
