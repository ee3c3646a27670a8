import { randomBytes, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { CanalCreate, CanalCriado } from '@vigia/contracts/notificacoes'
import { parseAllowedCidrs } from '@vigia/rtsp/address-policy'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { createSecretBox } from '../../adapters/secret-box.ts'
import type { Senders } from '../../adapters/senders/interface.ts'
import { fixedSettings } from '../../adapters/senders/sender-settings.ts'
import { createSenders } from '../../adapters/senders/senders.ts'
import { loadConfig } from '../../config.ts'
import { type Database, openDatabase } from '../../db/open.ts'
import { transact } from '../../db/transaction.ts'
import { createCanal } from '../../domains/mensagens/notificacoes/create-canal.ts'
import { saveVerdict } from '../../domains/operacao/verificacao/save-verdict.ts'
import { operatorCaller as operator } from '../clients/operator-caller.ts'
import { testPlace } from '../clouds/template.ts'
import { sampleAttachments } from './attachments.ts'

/** A database in a temporary folder, which is deleted with it. */
export async function openTempDatabase() {
  const dir = temporaryFolder('vigia-fila-')
  const file = await testPlace(join(dir, 'vigia.db'))
  const db = await openDatabase(file)
  return {
    db,
    /** For `openDatabase` in another process. */
    file,
    dir,
    async close() {
      await db.destroy()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
export type TempDatabase = Awaited<ReturnType<typeof openTempDatabase>>

/** A fixed key in place of the key file, so that processes of one test share secrets. */
export const queueBox = createSecretBox(Buffer.alloc(32, 7))

const loopback = parseAllowedCidrs('127.0.0.0/8')

/** The real senders; only webhooks have a destination, on this machine. */
export const loopbackSenders = (clock: { now(): number }, timeoutMs?: number): Senders =>
  createSenders({
    clock,
    attachments: sampleAttachments(),
    settings: fixedSettings(loadConfig({}).remetentes),
    allowed: loopback,
    ...(timeoutMs && { timeoutMs }),
  })

/** A canal as the API creates it. */
export const seedCanal = (
  db: Database,
  canal: Partial<CanalCreate> & { empresa_id: number },
  now = Date.now(),
): Promise<CanalCriado> => {
  const clock = { now: () => now }
  const deps = {
    db,
    clock,
    box: queueBox,
    senders: loopbackSenders(clock),
    webhookPermitir: loopback,
    testLimit: { consume: async () => {} },
    wake: () => {},
  }
  return createCanal(deps, operator, {
    nome: '',
    tipo: 'webhook',
    destino: '',
    destinatarios: [],
    ativo: true,
    camera_id: null,
    tipos_evento: [],
    agenda: {},
    avisar_quedas: true,
    gravidade_min: 'baixa',
    certeza_min: 'baixa',
    intervalo_s: 120,
    continuacao: 'intervalo',
    resumo_hora: null,
    politica: 'aguardar',
    credenciais: null,
    ...canal,
  })
}

interface Origin {
  readonly empresaId: number
  readonly edgeId: number
  readonly cameraId: number
}

/** Stores a pending evento of that camera and returns its id. */
export async function seedPending(db: Database, origin: Origin, ocorridoEm = Date.now(), tipo = 'invasao') {
  const event = {
    uuid: randomUUID(),
    empresa_id: origin.empresaId,
    camera_id: origin.cameraId,
    camera_nome: 'Portão',
    edge_id: origin.edgeId,
    seq: randomBytes(4).readUInt32BE(),
    tipo,
    gravidade: 'alta' as const,
    ocorrido_em: ocorridoEm,
    recebido_em: ocorridoEm,
    relogio_json: '{"desvio_ms":null,"sincronizado":true}',
    confianca: 0.7,
    rotulos_json: '["person"]',
    caixas_json: '[]',
    zona: null,
    crop_path: null,
    quadro_path: null,
    calibracao_json: '{}',
    instrucoes_json: '[]',
    modelo: 'nanodet-g-416',
    detalhes_json: '{}',
    veredito_decisao: null,
    veredito_confianca: null,
    veredito_motivo: null,
    veredito_fonte: null,
    verificado_em: null,
    revisao_rotulo: null,
    revisao_revisor: null,
    revisado_em: null,
  }
  return (await db.insertInto('eventos').values(event).returning('id').executeTakeFirstOrThrow()).id
}

export const giveVerdict = (
  db: Database,
  id: number,
  decisao: 'confirmado' | 'refutado' = 'confirmado',
  certeza: 'alta' | 'baixa' = 'alta',
) =>
  transact(db, (tx) =>
    saveVerdict(
      tx,
      id,
      { decisao, certeza, confianca: 0.9, motivo: 'Pessoa vista.', fonte: 'teste' },
      '{}',
      Date.now(),
    ),
  )
