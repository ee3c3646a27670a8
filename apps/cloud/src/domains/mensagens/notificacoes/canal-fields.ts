import { invalid, VigiaError } from '@vigia/contracts/errors'
import { destinationProblems, showsPlatesByDefault } from '@vigia/contracts/notificacoes'
import type { AllowedCidrs } from '@vigia/rtsp/address-policy'
import { isNeverPublic } from '../../../adapters/senders/public-address.ts'
import { type CanalFields, camerasColumns } from '../../../db/canal-fields.ts'
import type { Database } from '../../../db/open.ts'
import type { CanalRow } from '../../../db/rows.ts'
import type { Caller } from '../../../http/caller.ts'
import { requireEffect } from '../../../http/effects.ts'
import { requireEmpresa } from '../../../scope/require-empresa.ts'
import { requireCameras } from '../../locais/public.ts'

export const canalColumns = (canal: CanalFields) =>
  ({
    empresa_id: canal.empresa_id,
    nome: canal.nome,
    tipo: canal.tipo,
    destino: canal.destino,
    destinatarios_json: JSON.stringify(canal.destinatarios),
    ativo: canal.ativo ? 1 : 0,
    ...camerasColumns(canal.camera_ids),
    tipos_evento_json: JSON.stringify(canal.tipos_evento),
    agenda_json: JSON.stringify(canal.agenda),
    avisar_quedas: canal.avisar_quedas ? 1 : 0,
    gravidade_min: canal.gravidade_min,
    certeza_min: canal.certeza_min,
    agrupar: canal.agrupar ? 1 : 0,
    intervalo_s: canal.intervalo_s,
    continuacao: canal.continuacao,
    resumo_hora: canal.resumo_hora,
    politica: canal.politica,
    placas: canal.placas ? 1 : 0,
  }) satisfies Partial<CanalRow>

/**
 * Checks the references of a new or changed canal and the consistency of its fields.
 * @throws VigiaError `nao_encontrado` (Empresa or camera), `validacao` (camera of another Empresa, or destinations that
 * do not match `tipo`).
 */
export async function requireValidCanal(db: Database, caller: Caller, canal: CanalFields): Promise<void> {
  await requireEmpresa(db, caller, canal.empresa_id)
  const { camera_id, camera_ids, empresa_id } = canal
  const cameras = await requireCameras(db, caller, camera_ids)
  if (cameras.some((camera) => camera.empresa_id !== empresa_id))
    throw invalid(['body', camera_id === null ? 'camera_ids' : 'camera_id'], OTHER_EMPRESA)
  const itens = destinationProblems(canal).map(({ path, message }) => ({
    loc: ['body', ...path],
    msg: message,
    type: 'value_error',
  }))
  if (itens.length > 0) throw new VigiaError('validacao', { detalhe: 'Dados inválidos.', itens })
}

/** Destinations with their paths in a body. */
const positionsOf = ({ destino, destinatarios }: CanalFields): [field: (string | number)[], text: string][] => [
  [['destino'], destino],
  ...destinatarios.map((text, index): [(string | number)[], string] => [['destinatarios', index], text]),
]

export const destinationsOf = (canal: CanalFields): string[] => positionsOf(canal).map(([, text]) => text)

/**
 * Refuses an address of a webhook or broker that the delivery would never allow. Existing (`known`) destinations pass,
 * so that a canal can be disabled after `allowed` was narrowed.
 * @throws VigiaError `validacao`
 */
export function requireReachable(canal: CanalFields, known: readonly string[], allowed: AllowedCidrs): void {
  if (canal.tipo !== 'webhook' && canal.tipo !== 'mqtt') return
  const itens = positionsOf(canal)
    .filter(([, url]) => url !== '' && !known.includes(url) && isNeverPublic(new URL(url).hostname, allowed))
    .map(([field]) => ({ loc: ['body', ...field], msg: NOT_PUBLIC, type: 'value_error' }))
  if (itens.length > 0) throw new VigiaError('validacao', { detalhe: 'Dados inválidos.', itens })
}

/** Whether the canal sends plates of vehicles to people. */
const tellsPeoplePlates = ({ placas, tipo }: Pick<CanalFields, 'placas' | 'tipo'>): boolean =>
  placas && !showsPlatesByDefault(tipo)

/** @param before null: a new canal. @throws VigiaError `proibido` */
export function requirePlatesRight(caller: Caller, before: CanalFields | null, after: CanalFields): void {
  if (tellsPeoplePlates(after) && !(before && tellsPeoplePlates(before)))
    requireEffect(caller, 'reveals', 'Mostrar placas de veículos nas mensagens de um canal')
}

const OTHER_EMPRESA = 'Esta câmera é de outra Empresa: escolha uma da Empresa do canal'
const NOT_PUBLIC =
  'Este endereço fica nesta máquina ou numa rede interna, para a qual o Vigia não envia. Use um endereço público'
