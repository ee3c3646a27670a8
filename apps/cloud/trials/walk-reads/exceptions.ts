/** Not reads: the end of the session, pages of a protocol that begin elsewhere, and the stream of an agent. */
export const NOT_READS: readonly string[] = ['/logout', '/api/v1/auth/logout', '/oauth/authorize', '/mcp']

/** Routes that ask an edge, of which none is connected. */
export const ASKS_EDGE: readonly string[] = [
  '/api/v1/cameras/{camera_id}/snapshot',
  '/api/v1/cameras/{camera_id}/aovivo',
  '/api/v1/cameras/{camera_id}/gravacao',
  '/api/v1/cameras/{camera_id}/ptz/presets',
  '/api/v1/edges/{id}/diagnostico',
  '/api/v1/edges/{id}/varredura',
  '/api/v1/miniaturas',
]

/**
 * Path segments whose records the filled folder has not. Their routes read one row or one file by its key, and the walk
 * accepts 404 of them.
 */
export const NO_RECORD: readonly string[] = [
  'autorizacoes',
  'entregas',
  'envios',
  'gravacoes',
  'hls',
  'imagens',
  'inscricoes',
  'foto',
  'quiosques',
  'crops',
  'quadros',
  'evidencias',
  'descartados',
  'convites',
  'remetentes',
  'transmissoes',
  'ajuste',
  'docs',
  'gravadores',
  'clip',
  'strip',
]
