import type { SameTexts } from './shape.ts'

/** English texts about agents that act in the name of a login. */
export const agentes: SameTexts<typeof import('./pt-br-agentes.ts')['agentes']> = {
  titulo: 'Agents',
  conectar: {
    titulo: 'Connect an agent',
    texto: 'An AI agent, such as Claude or ChatGPT, reads cameras and alerts at this address:',
    rotulo: 'Address for agents',
    copiar: 'Copy address',
    copiado: 'Address copied.',
    selecionado: 'The browser did not allow copying. The address is selected: copy it with Ctrl+C.',
    passoAdicionar: 'In the agent, add a connector (remote MCP server) with this address.',
    passoEntrar:
      'The agent opens a page of this server: sign in with your login and check what you allow. The agent can never ' +
      'do more than the login.',
    semHttps: 'This address is not https. An agent on this computer can reach it; one on the internet cannot.',
    semEndereco: 'The address could not be read: {{motivo}}',
  },
  lista: 'Agents with access',
  semNome: 'Agent without a name',
  nomeDeclarado: 'The name is the one that the agent itself declared.',
  emNomeDe: 'Acts in the name of {{username}}',
  escopo: { tudo: 'Can do what this login can', leitura: 'Reads only; changes nothing' },
  efeitos: {
    rotulo: 'Can also: {{lista}}',
    nenhum: 'Deletes no data, does not change who sees what, and gives no access',
    destroys: 'delete data',
    reveals: 'change who sees what',
    grants: 'give access',
  },
  recebe: 'The access is delivered to {{onde}}',
  esteComputador: 'a program on the computer of the person',
  aplicativo: 'an application ({{nome}})',
  dado: 'Access given {{quando}}',
  usado: 'Used {{quando}}',
  nuncaUsado: 'Not used yet',
  ate: 'Valid until {{data}}',
  identificacao: 'Identification: {{id}}',
  retirar: 'Revoke access',
  retirarRotulo: 'Revoke access of {{nome}}, in the name of {{username}}',
  peca: 'To revoke the access of an agent, ask the administrator of the account.',
  verMais: 'Show older ones',
  limite: 'These are the {{total}} newest.',
  vazio: {
    titulo: 'No agent has access',
    texto: 'When somebody authorizes an agent, it is shown here, and its access can be revoked at any time.',
    usuario: 'When you authorize an agent, it is shown here.',
  },
  retirada: {
    titulo: 'Revoke access',
    texto: 'Revoke the access of “{{nome}}”, which acts in the name of {{username}}? It loses access at once.',
    volta: 'To regain it, somebody must sign in and authorize it again.',
    confirmar: 'Revoke access',
  },
  anuncio: 'Access of {{nome}} revoked.',
}
