import type { Camera } from '@vigia/contracts/cameras'

/** What of a camera bears on what it alerts to; its addresses do not. */
export const cameraSetup = ({
  id,
  nome,
  status,
  status_detalhe,
  resolucao,
  fps,
  perfil,
  eventos_habilitados,
  zonas,
  linha,
  agenda,
  instrucoes,
}: Camera) => ({
  ...{ id, nome, status, status_detalhe, resolucao, fps, perfil },
  ...{ eventos_habilitados, zonas, linha, agenda, instrucoes },
})
