import { randomUUID } from 'node:crypto'
import { openDatabase } from '../../src/db/open.ts'
import { transact } from '../../src/db/transaction.ts'

const PER_INSERT = 500
const SPREAD_MS = 30 * 86_400_000

interface Filled {
  readonly empresaId: number
  readonly edgeId: number
  readonly cameraIds: readonly number[]
  readonly total: number
}

/** Stores events of the last 30 days with a verdict, without pictures, beside a running cloud. */
export async function fillEvents(place: string, { empresaId, edgeId, cameraIds, total }: Filled): Promise<void> {
  const db = await openDatabase(place, { asIs: true, maxConnections: 2 })
  const start = Date.now() - SPREAD_MS - 60_000
  try {
    for (let done = 0; done < total; done += PER_INSERT)
      await transact(db, async (tx) => {
        const count = Math.min(PER_INSERT, total - done)
        const { ultimo } = await tx
          .updateTable('contador_eventos')
          .set((eb) => ({ ultimo: eb('ultimo', '+', count) }))
          .returning('ultimo')
          .executeTakeFirstOrThrow()
        const first = Number(ultimo) - count + 1
        const rows = Array.from({ length: count }, (_, index) => {
          const at = start + Math.floor(((done + index) / total) * SPREAD_MS)
          return {
            id: first + index,
            uuid: randomUUID(),
            empresa_id: empresaId,
            edge_id: edgeId,
            camera_id: cameraIds[index % cameraIds.length] ?? 0,
            camera_nome: 'Câmera',
            seq: done + index + 1,
            tipo: 'invasao',
            gravidade: 'alta' as const,
            ocorrido_em: at,
            recebido_em: at,
            confianca: 0.7,
            relogio_json: '{}',
            rotulos_json: '["person"]',
            caixas_json: '[]',
            calibracao_json: '{}',
            zona: null,
            crop_path: null,
            quadro_path: null,
            instrucoes_json: '[]',
            modelo: 'm',
            detalhes_json: '{}',
            trajeto_json: null,
            veredito_decisao: 'confirmado' as const,
            veredito_confianca: 0.9,
            veredito_motivo: '',
            veredito_fonte: 'm',
            verificado_em: at,
            revisao_rotulo: null,
            revisao_revisor: null,
            revisado_em: null,
          }
        })
        await tx.insertInto('eventos').values(rows).execute()
      })
  } finally {
    await db.destroy()
  }
}
