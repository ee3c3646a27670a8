import { VigiaError } from '@vigia/contracts/errors'
import type { Estadia } from '@vigia/contracts/presencas'
import { auditExit } from '../../../audit/audit-placa.ts'
import { lockRow } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import type { PassagemRow } from '../../../db/rows.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, callerName } from '../../../http/caller.ts'
import { requirePassagem } from '../passagens/list-passagens.ts'
import type { PresencasDeps } from './list-presencas.ts'
import { staysOfPlate } from './stays-of-plate.ts'
import { endStay, isMovement, type MovementRow, passagesOfPlate, recentMovements } from './store.ts'
import { viewEstadia } from './view-presenca.ts'

/**
 * Ends the stay that began with this passage by hand, now.
 * @throws VigiaError `proibido`, `nao_encontrado`; `conflito`: no entry with a plate, or its stay has ended
 */
export async function closeEstadia({ db, clock }: PresencasDeps, caller: Caller, id: number): Promise<Estadia> {
  const now = clock.now()
  const closed = await transact(db, async (tx) => {
    await lockRow(tx, 'passagens', id)
    await requireOpen(tx, requireEntry(await requirePassagem(tx, caller, id)), now)
    const row = await endStay(tx, id, { encerrada_em: now, encerrada_por: callerName(caller) })
    if (!row) throw conflict('A estadia desta passagem já foi encerrada.')
    await auditExit(tx, now, caller, row)
    return requireEntry(row)
  })
  return viewEstadia({ entrada: closed, saida: null, semelhante: false, aberta: false }, now)
}

function requireEntry(row: PassagemRow) {
  if (row.sentido !== 'entrada')
    throw conflict('Esta passagem não é uma entrada. Encerre a estadia pela passagem de entrada.')
  if (!isMovement(row)) throw conflict('Esta passagem não tem placa. Corrija a placa e encerre a estadia depois.')
  return row
}

async function requireOpen(db: Database, entrada: MovementRow, now: number): Promise<void> {
  if (entrada.encerrada_em !== null) throw conflict('A estadia desta passagem já foi encerrada.')
  const { id, placa, local } = entrada
  const empresas = [entrada.empresa_id]
  const rows = await passagesOfPlate(db, { empresas, placa })
  const stays = await staysOfPlate(placa, rows, await recentMovements(db, { empresas, local, now }))
  if (!stays.some((stay) => stay.entrada?.id === id && stay.aberta))
    throw conflict('A estadia desta passagem já terminou: o veículo saiu, ou entrou outra vez.')
}

const conflict = (detalhe: string): VigiaError => new VigiaError('conflito', { detalhe })
