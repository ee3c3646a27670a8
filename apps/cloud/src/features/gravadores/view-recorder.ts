import type { CanalGravador, Gravador } from '@vigia/contracts/gravadores'
import { maskPassword } from '@vigia/rtsp/mask'
import type { SecretBox } from '../../adapters/secret-box.ts'
import type { Caller } from '../../http/caller.ts'
import type { KnownStreams } from './known-streams.ts'
import { openRecorder, recorderSources, SENHA_OCULTA } from './recorder-sources.ts'
import type { RecorderWithCount } from './store.ts'

/** A stored recorder as the interface shows it to `caller`, in whose scope it is: only an administrador sees the password. */
export function viewRecorder(row: RecorderWithCount, box: SecretBox, caller: Caller): Gravador {
  const { senha, ...access } = openRecorder(box, row)
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

/** Every channel of the recorder in order, with the camera that shows it already. */
export function viewChannels(row: RecorderWithCount, box: SecretBox, known: KnownStreams): CanalGravador[] {
  const access = openRecorder(box, row)
  return Array.from({ length: row.num_canais }, (_, index) => {
    const canal = index + 1
    const { rtsp_url } = recorderSources(access, canal)
    const camera = known.find(canal, rtsp_url)
    return {
      canal,
      nome: camera?.nome ?? `Canal ${canal}`,
      rtsp_url: maskPassword(rtsp_url),
      camera_id: camera?.id ?? null,
    }
  })
}
