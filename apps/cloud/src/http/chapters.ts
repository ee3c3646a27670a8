/**
 * Chapters of the API reference, in their order. A noun names its chapter and its first path segments (noun.ts).
 */
export const chapters = {
  Sessão: 'Entrar, sair e saber quem se é.',
  Empresas: 'Contas, as contas abaixo delas, e seus limites.',
  Usuários: 'Logins e seus papéis.',
  Convites: 'Criar o próprio login por um link.',
  Quiosques: 'Telas que ficam abertas sem login.',
  Chaves: 'Chaves com que sistemas entram, sem login.',
  Câmeras: 'Fontes de vídeo e o que se procura nelas.',
  Gravadores: 'DVRs e NVRs, seus canais e sua senha.',
  Calibração: 'Valores padrão, casos de uso e Perfis.',
  Eventos: 'O que foi visto, com imagem e veredito, e o que falta.',
  Placas: 'Passagens de veículos e as listas de placas.',
  Incidentes: 'Eventos que as pessoas respondem juntos, e suas respostas.',
  Busca: 'Eventos e incidentes do passado, por filtros e palavras.',
  Relatórios: 'O que houve num período, em números.',
  'Tempo real': 'Alertas no momento em que acontecem.',
  Quedas: 'Quando caixas e câmeras estiveram fora do ar.',
  Pendências: 'Verificações e notificações que pararam, e como tentar de novo.',
  Notificações: 'Destinos de fora: webhook, WhatsApp, e-mail, navegadores.',
  Edges: 'Caixas no local das câmeras.',
  Agentes: 'Programas de IA que entram em nome de um login: OAuth 2.1 e MCP.',
  Auditoria: 'Quem mudou o quê.',
  Serviço: 'Estado do serviço e esta referência.',
} as const

export type Chapter = keyof typeof chapters
