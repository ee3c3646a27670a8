import type { SecretBox } from '../../../adapters/secret-box.ts'
import { ConfigError } from '../../../config.ts'
import type { Database } from '../../../db/open.ts'
import { type SealedColumn, sealedColumns } from '../../../db/sealed-columns.ts'
import { transact } from '../../../db/transaction.ts'
import type { Logger } from '../../../http/request-log.ts'
import { replaceSealed, rewriteFile, sealedSamples, valuesSealedOtherwise } from './store.ts'

interface SealsDeps {
  readonly db: Database
  readonly box: SecretBox
  readonly log: Logger
}

interface Renewal {
  /** Values sealed anew. */
  readonly renewed: number
  /** Damaged values, which no key decrypts; only the id of their key is known. */
  readonly left: number
}

const PAGE = 500

/**
 * Encrypts all values of earlier keys again with the key in use. One transaction, so that a crash leaves either all old
 * or all new values, which the current keys can decrypt. Then rewrites the database file, to remove the old values from
 * it.
 * @throws ConfigError when the key of a value is missing: a start without it would lose passwords
 */
export async function renewSeals({ db, box, log }: SealsDeps): Promise<Renewal> {
  for (const column of sealedColumns.filter(({ remade }) => !remade))
    for (const sample of await sealedSamples(db, column)) if (!box.holdsKeyOf(sample)) throw unknownKey()

  const total = await transact(db, async (tx) => {
    const sum = { renewed: 0, left: 0 }
    for (const column of sealedColumns) {
      const { renewed, left } = await renewColumn({ db: tx, box, log }, column)
      sum.renewed += renewed
      sum.left += left
    }
    return sum
  })
  if (total.renewed > 0)
    await rewriteFile(db).catch((err) =>
      log.error({ err }, 'database file not rewritten: values sealed with the old key may be left in it'),
    )
  return total
}

async function renewColumn({ db, box, log }: SealsDeps, column: SealedColumn): Promise<Renewal> {
  const { tabela, coluna, purpose, remade } = column
  let renewed = 0
  let left = 0
  let after = 0
  for (;;) {
    const page = await valuesSealedOtherwise(db, column, `v1.${box.keyId}.`, after, PAGE)
    for (const { id, dono, valor } of page) {
      after = id
      const clear = openOrNull(box, valor, purpose(dono))
      if (clear === null) {
        if (remade) {
          await replaceSealed(db, column, { id, valor }, '')
          continue
        }
        left += 1
        log.error({ tabela, coluna, id }, 'stored secret is damaged; enter it again')
        continue
      }
      if (await replaceSealed(db, column, { id, valor }, box.seal(clear, purpose(dono)))) renewed += 1
    }
    if (page.length < PAGE) return { renewed, left }
  }
}

/** null: the value was changed, or copied from another field or row. */
function openOrNull(box: SecretBox, sealed: string, purpose: string): string | null {
  try {
    return box.open(sealed, purpose)
  } catch {
    return null
  }
}

const unknownKey = () =>
  new ConfigError(
    'A chave (VIGIA_CHAVE ou o arquivo cloud/chave da pasta de dados) não é a que cifrou as senhas deste banco. ' +
      'Restaure a chave original; se ela foi trocada, ponha a anterior em VIGIA_CHAVE_ANTERIOR ou de volta na ' +
      'linha seguinte do arquivo.',
  )

/** Portuguese summary of a rotation for the console; null: no rotation. @param file key file */
export function describeRenewal({ renewed, left }: Renewal, previousKeys: number, file: string): string | null {
  if (previousKeys === 0) return null
  const done = renewed === 0 ? '' : `Chave trocada: ${renewed} senhas e segredos foram cifrados de novo. `
  if (left > 0)
    return (
      `${done}${left} senhas ou segredos guardados estão danificados (veja o registro): entre com eles outra vez ` +
      'antes de remover a chave anterior.'
    )
  return (
    `${done}A chave anterior não é mais usada e pode ser removida (VIGIA_CHAVE_ANTERIOR, ou toda linha depois da ` +
    `primeira em ${file}).`
  )
}
