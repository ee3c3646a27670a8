/** Chapters of the API reference in order, each with its first path segments (below `/api/v1`). */
const tags = [
  { name: 'Sessão', description: 'Entrar, sair e saber quem se é.', segments: ['auth', 'me', 'login', 'logout'] },
  {
    name: 'Empresas',
    description: 'Contas, as contas abaixo delas, e seus limites.',
    segments: ['empresas', 'limites'],
  },
  { name: 'Usuários', description: 'Logins e seus papéis.', segments: ['usuarios'] },
  { name: 'Convites', description: 'Criar o próprio login por um link.', segments: ['convites'] },
  { name: 'Quiosques', description: 'Telas que ficam abertas sem login.', segments: ['quiosques'] },
  { name: 'Chaves', description: 'Chaves com que sistemas entram, sem login.', segments: ['chaves'] },
  {
    name: 'Câmeras',
    description: 'Fontes de vídeo e o que se procura nelas.',
    segments: ['cameras', 'cameras-count', 'miniaturas'],
  },
  { name: 'Gravadores', description: 'DVRs e NVRs, seus canais e sua senha.', segments: ['gravadores', 'gravacoes'] },
  { name: 'Calibração', description: 'Valores padrão, casos de uso e Perfis.', segments: ['calibracao'] },
  {
    name: 'Eventos',
    description: 'O que foi visto, com imagem e veredito, e o que falta.',
    segments: ['events', 'crops', 'imagens', 'metrics', 'lacunas', 'verificacao', 'verificador-externo', 'treinamento'],
  },
  { name: 'Placas', description: 'Passagens de veículos e as listas de placas.', segments: ['passagens', 'placas'] },
  {
    name: 'Incidentes',
    description: 'Eventos que as pessoas respondem juntos, e suas respostas.',
    segments: ['incidentes'],
  },
  {
    name: 'Busca',
    description: 'Eventos e incidentes do passado, por filtros e palavras.',
    segments: ['busca'],
  },
  {
    name: 'Relatórios',
    description: 'O que houve num período, em números.',
    segments: ['relatorios', 'concordancia', 'linha-do-tempo'],
  },
  { name: 'Tempo real', description: 'Alertas no momento em que acontecem.', segments: ['sse', 'ws'] },
  { name: 'Quedas', description: 'Quando caixas e câmeras estiveram fora do ar.', segments: ['quedas'] },
  {
    name: 'Pendências',
    description: 'Verificações e notificações que pararam, e como tentar de novo.',
    segments: ['pendencias'],
  },
  {
    name: 'Notificações',
    description: 'Destinos de fora: webhook, WhatsApp, e-mail, navegadores.',
    segments: ['notificacoes', 'remetentes', 'push'],
  },
  { name: 'Edges', description: 'Caixas no local das câmeras.', segments: ['edges', 'pki'] },
  {
    name: 'Agentes',
    description: 'Programas de IA que entram em nome de um login: OAuth 2.1 e MCP.',
    segments: ['oauth', '.well-known', 'mcp', 'autorizacoes'],
  },
  { name: 'Auditoria', description: 'Quem mudou o quê.', segments: ['auditoria'] },
  {
    name: 'Serviço',
    description: 'Estado do serviço e esta referência.',
    segments: ['healthz', 'readyz', 'relogio', 'openapi.json', 'docs', 'replicas'],
  },
] as const

/** @throws Error for a path without a chapter */
export function tagOf(path: string): string {
  const [segment = ''] = path
    .replace(/^\/api\/v1\//, '')
    .replace(/^\//, '')
    .split('/')
  const tag = tags.find(({ segments }) => (segments as readonly string[]).includes(segment))
  if (!tag) throw new Error(`${path}: no chapter of the API reference (openapi-tags.ts) has this path`)
  return tag.name
}

export const tagList = tags.map(({ name, description }) => ({ name, description }))
