import { idLongoSchema, idSchema } from '@vigia/contracts/values'

/** Id fields of the tools; each description names the tool that lists the ids. */
export const cameraId = idSchema.describe('Id de listar_cameras.')
export const gravadorId = idSchema.describe('Id de listar_gravadores.')
export const eventoId = idLongoSchema.describe('Id de listar_eventos.')
export const incidenteId = idLongoSchema.describe('Id de listar_incidentes.')
export const edgeId = idSchema.describe('Id de listar_edges.')
export const canalId = idSchema.describe('Id de listar_canais_notificacao.')
export const empresaId = idSchema.describe('Id de listar_empresas.')

/** Restricts a list within the scope of the login. */
export const empresaFiltro = empresaId.optional().describe('Só desta Empresa.')
