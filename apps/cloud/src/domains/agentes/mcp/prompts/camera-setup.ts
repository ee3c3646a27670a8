import type { Camera } from '@vigia/contracts/cameras'

const FIELDS = [
  ...(['id', 'nome', 'status', 'status_detalhe', 'resolucao', 'fps', 'perfil'] as const),
  ...(['eventos_habilitados', 'zonas', 'linha', 'agenda', 'instrucoes'] as const),
] satisfies (keyof Camera)[]

/** Fields of a camera that influence its alerts, without its addresses. */
export const cameraSetup = (camera: Camera): Pick<Camera, (typeof FIELDS)[number]> =>
  Object.fromEntries(FIELDS.map((name) => [name, camera[name]])) as Pick<Camera, (typeof FIELDS)[number]>
