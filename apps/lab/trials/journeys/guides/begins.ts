/** Ways of another screen than the dashboard, each with the screen. */
export const elsewhere: Readonly<Record<string, string>> = {
  'Menu → Rede → TCP/IP': 'the screen of a recorder',
  'Configuração → Vídeo': 'the page of a Hikvision device',
  'Codificar → Vídeo': 'the page of a Dahua or Intelbras device',
  'Dashboards → Import': 'Grafana',
  'Compartilhar → Adicionar à Tela de Início': 'the browser of an iPhone',
}

/** Areas of a camera: a way that begins with one of them begins on the page of a camera. */
export const areas: readonly string[] = [
  'Ao vivo',
  'Eventos e gravações',
  'O que vigia',
  'Prova e saúde',
  'Privacidade e som',
]

/** Logins other than an `administrador` with a camera and a recorder, by the begin of the way, each with its reason. */
export const logins: Readonly<Record<string, { readonly login: 'operador' | 'alerta'; readonly reason: string }>> = {
  Caixas: { login: 'operador', reason: 'the box of the installation belongs to no Empresa' },
  'Empresas → Limites': { login: 'operador', reason: 'nobody sets the limits of the own Empresa' },
  'Empresas → Usar a caixa da instalação': { login: 'operador', reason: 'only the operator decides who uses it' },
  'Empresas → Remover': { login: 'operador', reason: 'nobody removes the own Empresa' },
  'Canais → Remetentes': { login: 'operador', reason: 'only the operator sets the accounts that send' },
  Plantão: { login: 'alerta', reason: 'an incident of a camera' },
}
