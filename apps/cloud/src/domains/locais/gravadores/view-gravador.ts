import type { CanalGravador, Gravador } from '@vigia/contracts/gravadores'
import { maskPassword } from '@vigia/rtsp/mask'
import type { SecretBox } from '../../../adapters/secret-box.ts'
import type { GravadorWithCount } from '../../../db/gravadores.ts'
import type { Caller } from '../../../http/caller.ts'
import { gravadorSources, openGravador, SENHA_OCULTA } from './gravador-sources.ts'
import type { KnownStreams } from './known-streams.ts'

/** Returns a gravador as the API shows it to `caller`; only an administrador sees the password. */
export function viewGravador(row: GravadorWithCount, box: SecretBox, caller: Caller): Gravador {
  const { senha, ...access } = openGravador(box, row)
  return {
    id: row.id,
    nome: row.nome,
    empresa_id: row.empresa_id,
    edge_id: row.edge_id,
    ...access,
    senha_em_texto: access.senha_em_texto === 1,
    senha: caller.papel === 'administrador' || senha === '' ? senha : SENHA_OCULTA,
    num_canais: row.num_canais,
    max_conexoes: row.max_conexoes,
    cameras: row.cameras,
    criado_em: new Date(row.criado_em).toISOString(),
    atualizado_em: new Date(row.atualizado_em).toISOString(),
  }
}

/**
 * Returns every canal of the gravador in order, with its camera. For ONVIF, canais without a camera are omitted,
 * because only the device can report their addresses.
 */
export function viewChannels(row: GravadorWithCount, box: SecretBox, known: KnownStreams): CanalGravador[] {
  const access = openGravador(box, row)
  return Array.from({ length: row.num_canais }, (_, index) => index + 1).flatMap((canal) => {
    const derived = gravadorSources(access, canal)?.rtsp_url ?? null
    const camera = known.find(canal, derived)
    const url = derived ?? camera?.rtsp_url
    if (url === undefined) return []
    const nome = camera?.nome ?? `Canal ${canal}`
    return [{ canal, nome, rtsp_url: maskPassword(url), camera_id: camera?.id ?? null }]
  })
}
