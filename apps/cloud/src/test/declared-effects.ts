import { nouns } from '../nouns/nouns.ts'

/** Routes that change something and have no effect, each with the reason. */
export const none: Readonly<Record<string, string>> = Object.assign(
  {},
  ...nouns.map(({ withoutEffect }) => withoutEffect),
)

/** Routes with an effect, and those that concern logins or move something. */
export const declared = `
DELETE /api/v1/autorizacoes/{id} · so_login
GET /api/v1/autorizacoes · so_login
POST /api/v1/auth/renovar · so_login
GET /api/v1/auth/logout · so_login
GET /logout · so_login
POST /api/v1/cameras · reveals?
PATCH /api/v1/cameras/{camera_id} · reveals? grants? destroys?
PUT /api/v1/cameras/{camera_id}/audio · reveals?
PUT /api/v1/cameras/{camera_id}/gravacao-continua · destroys?
PUT /api/v1/cameras/{camera_id}/mascaras · reveals? destroys?
POST /api/v1/cameras/{camera_id}/gravacoes · so_login
POST /api/v1/cameras/{camera_id}/ptz · so_login
DELETE /api/v1/cameras/{camera_id} · destroys
GET /api/v1/chaves · so_login
POST /api/v1/chaves · grants
DELETE /api/v1/chaves/{id} · so_login
GET /api/v1/convites · so_login
POST /api/v1/convites · grants
DELETE /api/v1/convites/{id} · so_login
POST /api/v1/edges · grants
PATCH /api/v1/edges/{id} · destroys?
DELETE /api/v1/edges/{id} · destroys
POST /api/v1/edges/{id}/codigo · grants
PATCH /api/v1/empresas/{empresa_id} · reveals? grants? destroys?
DELETE /api/v1/empresas/{empresa_id} · destroys
POST /api/v1/empresas/{empresa_id}/encerrar-demonstracao · destroys
POST /api/v1/empresas/{empresa_id}/apagamentos · destroys
PATCH /api/v1/empresas/{empresa_id}/retencao · destroys?
GET /api/v1/me/preferencias · so_login
PATCH /api/v1/me/preferencias · so_login
POST /api/v1/events/{event_id}/preservar · destroys?
DELETE /api/v1/events/{event_id}/preservar · destroys
GET /api/v1/gravacoes/{id} · so_login
GET /api/v1/gravacoes/{id}/arquivo · so_login
DELETE /api/v1/gravacoes/{id} · destroys
GET /api/v1/me · so_login
GET /api/v1/me/inscricoes · so_login
POST /api/v1/me/inscricoes · so_login
DELETE /api/v1/me/inscricoes/{inscricao_id} · so_login
POST /api/v1/me/inscricoes/{inscricao_id}/teste · so_login
POST /api/v1/me/segundo-fator · so_login
POST /api/v1/me/senha · so_login
GET /api/v1/me/sessoes · so_login
DELETE /api/v1/me/sessoes/{id} · so_login
PATCH /api/v1/gravadores/{gravador_id} · reveals? grants? destroys?
POST /api/v1/gravadores · grants?
POST /api/v1/gravadores/cadastrar · reveals? grants? destroys?
POST /api/v1/gravadores/descobrir · grants?
POST /api/v1/gravadores/imagem · grants?
POST /api/v1/notificacoes · reveals?
PATCH /api/v1/notificacoes/{canal_id} · reveals?
GET /api/v1/push · so_login
GET /api/v1/quiosques · so_login
POST /api/v1/quiosques · grants
DELETE /api/v1/quiosques/{id} · so_login
GET /api/v1/relogio · so_login
POST /api/v1/relogio/confirmacao · destroys
GET /api/v1/remetentes · so_login
PATCH /api/v1/remetentes · so_login
POST /api/v1/remetentes/{tipo}/teste · so_login
GET /api/v1/usuarios · so_login
POST /api/v1/usuarios · grants
PATCH /api/v1/usuarios/{usuario_id} · grants
DELETE /api/v1/usuarios/{usuario_id} · destroys
DELETE /api/v1/usuarios/{usuario_id}/segundo-fator · grants
GET /api/v1/verificador-externo · so_login
PATCH /api/v1/verificador-externo/{empresa_id} · reveals
`
  .split('\n')
  .filter((row) => row !== '')
