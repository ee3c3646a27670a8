import type { Camera } from '@vigia/contracts/cameras'

/** Fields of a camera that influence its alerts, without its addresses. */
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
})
