import type { CanalGravador, Gravador } from '@vigia/contracts/gravadores'
import { maskPassword } from '@vigia/rtsp/mask'
import type { SecretBox } from '../../adapters/secret-box.ts'
import type { GravadorWithCount } from '../../db/gravadores.ts'
import type { Caller } from '../../http/caller.ts'
import { gravadorSources, openGravador, SENHA_OCULTA } from './gravador-sources.ts'
import type { KnownStreams } from './known-streams.ts'

/** A stored recorder as the interface shows it to `caller`, in whose scope it is: only an administrador sees the password. */
export function viewGravador(row: GravadorWithCount, box: SecretBox, caller: Caller): Gravador {
  const { senha, ...access } = openGravador(box, row)
  return {
    id: row.id,
    nome: row.nome,
    empresa_id: row.empresa_id,
    edge_id: row.edge_id,
    ...access,
    senha: caller.papel === 'administrador' || senha === '' ? senha : SENHA_OCULTA,
    num_canais: row.num_canais,
    cameras: row.cameras,
    criado_em: new Date(row.criado_em).toISOString(),
    atualizado_em: new Date(row.atualizado_em).toISOString(),
  }
}

/**
 * Every channel of the recorder in order, with the camera that shows it already. Where the device alone knows the addresses,
 * those without a camera are left out.
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
