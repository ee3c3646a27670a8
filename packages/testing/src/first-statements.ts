import pg from 'pg'

/**
 * Setup of the tests on PostgreSQL: refuses a transaction whose first statement neither writes nor locks. Such a
 * transaction decides by a row that another one may change meanwhile. A read-only snapshot (`start transaction … read
 * only`) decides nothing.
 */
const begun = new WeakSet<object>()
const LOCKS = /\bfor (no key update|update|share|key share)\b|\bpg_advisory_xact_lock\b/i
const WRITES = /^\s*(insert|update|delete|merge|truncate|lock|create|alter|drop|copy|set|rollback|commit)\b/i
const WRITES_WITHIN = /^\s*with\b[\s\S]*\b(insert into|update|delete from)\b/i

/** Reads that may precede, each with the reason. The statement after them is checked in their place. */
const MAY_PRECEDE: readonly { readonly form: RegExp; readonly reason: string }[] = [
  { form: /^with recursive "acima" .*select "id" from "acima" where/i, reason: 'an Empresa never changes its parent' },
  { form: /from "turnos_trabalho"/i, reason: 'a claim is an update that names the expected state' },
  { form: /select "id" from "trabalhos" .*"estado" = \$2/i, reason: 'the update names the state that was read' },
  { form: /from "contato_central"/i, reason: 'the update names the time that was read' },
  { form: /^\s*select id, "\w+" as valor, "\w+" as dono from/i, reason: 'the update names the value that was read' },
  { form: /"kysely_migration"/i, reason: 'Kysely locks a table of its own before' },
]

/** Set while a test shows what the locks prevent: the product runs without them. */
export const WITHOUT_LOCKS = 'VIGIA_TEST_SEM_TRAVAS'

const query = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown

function checkedQuery(this: pg.Client, ...args: unknown[]): unknown {
  const [config] = args
  const text = typeof config === 'string' ? config : ((config as { text?: string } | undefined)?.text ?? '')
  if (text === 'begin' && process.env[WITHOUT_LOCKS] === undefined) begun.add(this)
  else if (begun.has(this) && !MAY_PRECEDE.some(({ form }) => form.test(text))) {
    begun.delete(this)
    if (!LOCKS.test(text) && !WRITES.test(text) && !WRITES_WITHIN.test(text))
      throw new Error(`the first statement of a transaction neither writes nor locks (db/locks.ts): ${text}`)
  }
  return query.apply(this, args)
}

if (query.name !== checkedQuery.name) pg.Client.prototype.query = checkedQuery as typeof pg.Client.prototype.query
