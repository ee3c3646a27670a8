import { idLongoSchema, idSchema } from '@vigia/contracts/values'

/** Id fields of the tools; each description names the tool that lists the ids. */
export const cameraId = idSchema.describe('Id da câmera, como listar_cameras mostra. Exemplo: 12.')
export const gravadorId = idSchema.describe('Id do gravador, como listar_gravadores mostra. Exemplo: 3.')
export const eventoId = idLongoSchema.describe('Id do evento, como listar_eventos mostra. Exemplo: 4051.')
export const incidenteId = idLongoSchema.describe('Id do incidente, como listar_incidentes mostra. Exemplo: 812.')
export const edgeId = idSchema.describe('Id do edge (a caixa no local), como listar_edges mostra. Exemplo: 2.')
export const canalId = idSchema.describe('Id do canal, como listar_canais_notificacao mostra. Exemplo: 5.')
export const empresaId = idSchema.describe('Id da Empresa, como listar_empresas mostra. Exemplo: 1.')

/** Restricts a list within the scope of the login. */
export const empresaFiltro = empresaId
  .optional()
  .describe('Só desta Empresa (id de listar_empresas). Se faltar, todas as que o login vê.')
