import SqliteDatabase from 'better-sqlite3'

/** The file of the rate limits, opened beside the counters under test. */
export function openLimitsFile(file: string) {
  const db = new SqliteDatabase(file)
  return {
    rows: () => db.prepare<[], number>('select count(*) from limites').pluck().get(),
    /** As on a full disk, reads succeed and every write fails. */
    refuseWrites: () =>
      db.exec(`create trigger cheio_i before insert on limites begin select raise(abort, 'disk is full'); end;
               create trigger cheio_d before delete on limites begin select raise(abort, 'disk is full'); end;`),
    acceptWrites: () => db.exec('drop trigger cheio_i; drop trigger cheio_d;'),
    close: () => db.close(),
  }
}
