// Rows on their way to PostgreSQL as JSON, a few MiB at a time.

const maxBatchBytes = 4 * 1024 * 1024;

/**
 * JSON arrays of the rows, in order, for `json_to_recordset`; each of 4 MiB at most unless one row alone is larger. Not
 * as array parameters: postgres.js escapes those quote by quote, and 60 personas made of quotes stop the process for
 * seconds, 500 end it. Texts must hold neither NUL nor unpaired surrogates.
 */
export function* jsonBatches(rows: Iterable<object>): Generator<string> {
  let batch: string[] = [];
  let bytes = 2;
  for (const row of rows) {
    const text = JSON.stringify(row);
    const more = Buffer.byteLength(text) + 1;
    if (batch.length > 0 && bytes + more > maxBatchBytes) {
      yield `[${batch.join(",")}]`;
      batch = [];
      bytes = 2;
    }
    batch.push(text);
    bytes += more;
  }
  if (batch.length > 0) yield `[${batch.join(",")}]`;
}
