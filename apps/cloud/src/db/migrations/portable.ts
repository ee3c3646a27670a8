import { type CreateTableBuilder, type Kysely, sql } from 'kysely'
import { isPostgres } from '../postgres-dialect.ts'

/** The parts of migrations that SQLite and PostgreSQL write differently. The form of SQLite never changes. */

/** SQLite: the primary key holds the rows, one tree instead of two. PostgreSQL has no such tables. */
export const rowsInKey =
  (db: Kysely<unknown>) =>
  <T extends string, C extends string>(table: CreateTableBuilder<T, C>): CreateTableBuilder<T, C> =>
    isPostgres(db) ? table : table.modifyEnd(sql`without rowid`)

/** Makes the audit log append-only. */
export async function keepAuditoria(db: Kysely<unknown>): Promise<void> {
  if (isPostgres(db)) {
    await sql`create function auditoria_recusa() returns trigger language plpgsql as
      $$ begin raise exception 'auditoria is append-only'; end $$`.execute(db)
    await sql`create trigger auditoria_sem_mudanca before update or delete on auditoria
      for each row execute function auditoria_recusa()`.execute(db)
    await sql`create trigger auditoria_sem_truncate before truncate on auditoria
      for each statement execute function auditoria_recusa()`.execute(db)
    return
  }
  for (const change of ['update', 'delete'])
    await sql`create trigger ${sql.raw(`auditoria_sem_${change}`)} before ${sql.raw(change)} on auditoria
        begin select raise(abort, 'auditoria is append-only'); end`.execute(db)
  // REPLACE deletes without firing the delete trigger.
  await sql`create trigger auditoria_sem_replace before insert on auditoria
      when exists (select 1 from auditoria where id = new.id)
      begin select raise(abort, 'auditoria is append-only'); end`.execute(db)
}

/** Lets the retention delete audit records below the limit in `auditoria_varrida`. */
export async function allowSweepOfAuditoria(db: Kysely<unknown>): Promise<void> {
  if (isPostgres(db)) {
    await sql`create or replace function auditoria_recusa() returns trigger language plpgsql as $$ begin
      if tg_op = 'DELETE' and exists
        (select 1 from auditoria_varrida v where v.empresa_id = old.empresa_id and old.em < v.ate)
      then return old; end if;
      raise exception 'auditoria is append-only'; end $$`.execute(db)
    return
  }
  await sql`drop trigger auditoria_sem_delete`.execute(db)
  await sql`create trigger auditoria_sem_delete before delete on auditoria
      when not exists (select 1 from auditoria_varrida v where v.empresa_id = old.empresa_id and old.em < v.ate)
      begin select raise(abort, 'auditoria is append-only'); end`.execute(db)
}
