import { setTimeout } from 'node:timers/promises'
import { VigiaError } from '@vigia/contracts/errors'
import { waitFor } from '@vigia/testing/wait'
import { createSecretBox } from '../../adapters/secret-box.ts'
import { findEmpresa } from '../../db/empresas.ts'
import { openDatabase } from '../../db/open.ts'
import { registerGravador } from '../../domains/locais/cadastro/register-gravador.ts'
import { operatorCaller as operator } from '../clients/operator-caller.ts'

/**
 * A second process on the database of a test. Arguments: file, key as hex, Empresa, `1` or `-1`, number of gravadores.
 * When the name of the Empresa becomes "vai", it registers that many gravadores of two cameras each. It begins at the
 * first or at the last, and writes all results as one JSON line.
 */
const [file = '', key = '', empresa = '', direction, gravadores = ''] = process.argv.slice(2)
const db = await openDatabase(file)
const deps = {
  db,
  clock: { now: () => Date.now() },
  box: createSecretBox(Buffer.from(key, 'hex')),
  desired: { changed: () => {} },
}
/** These calls send no command to an edge. */
const askNobody = () => Promise.reject(new Error('unexpected command to an edge'))
const empresa_id = Number(empresa)

const register = async (n: number) => {
  const access = { fabricante: 'intelbras', host: `127.0.1.${n + 1}`, porta: 554, usuario: 'ana', senha: 'x' } as const
  const input = { ...access, num_canais: 2, empresa_id, nome_gravador: '', canais: [1, 2] }
  try {
    return (await registerGravador(deps, operator, input, askNobody)).cameras_criadas
  } catch (error) {
    return error instanceof VigiaError ? error.code : String(error)
  }
}

process.send?.({ pronto: true })
await waitFor('the word to go', async () => (await findEmpresa(db, empresa_id))?.nome === 'vai', { everyMs: 5 })
const outcomes: (number | string)[] = []
const numbers = Array.from({ length: Number(gravadores) }, (_, i) => i)
for (const n of direction === '1' ? numbers : numbers.toReversed()) {
  outcomes[n] = await register(n)
  // SQLite locks are not fair: a waiting process polls the lock rarely and would run last.
  await setTimeout(5)
}
console.log(JSON.stringify(outcomes))
await db.destroy()
process.disconnect?.()
