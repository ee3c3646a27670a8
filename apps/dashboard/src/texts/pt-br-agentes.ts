/** Texts about agents that act in the name of a login. */
export const agentes = {
  titulo: 'Agentes',
  conectar: {
    titulo: 'Conectar um agente',
    texto: 'Um agente de IA, como o Claude ou o ChatGPT, consulta câmeras e alertas por este endereço:',
    rotulo: 'Endereço para agentes',
    copiar: 'Copiar endereço',
    copiado: 'Endereço copiado.',
    selecionado: 'O navegador não deixou copiar. O endereço está selecionado: copie com Ctrl+C.',
    passoAdicionar: 'No agente, adicione um conector (servidor MCP remoto) com este endereço.',
    passoEntrar:
      'O agente abre uma página desta central: entre com o seu login e confira o que está permitindo. O agente ' +
      'nunca pode mais do que o login.',
    semHttps:
      'Este endereço não é https. Um agente que roda neste computador chega a ele; um que roda na internet, não.',
    semEndereco: 'O endereço não pôde ser lido: {{motivo}}',
  },
  lista: 'Agentes com acesso',
  semNome: 'Agente sem nome',
  nomeDeclarado: 'O nome é o que o próprio agente declarou.',
  emNomeDe: 'Age em nome de {{username}}',
  escopo: { tudo: 'Pode o que esse login pode', leitura: 'Só vê; não muda nada' },
  recebe: 'O acesso é entregue a {{onde}}',
  esteComputador: 'um programa no computador da pessoa',
  aplicativo: 'um aplicativo ({{nome}})',
  dado: 'Acesso dado {{quando}}',
  usado: 'Usado {{quando}}',
  nuncaUsado: 'Ainda não usado',
  ate: 'Vale até {{data}}',
  identificacao: 'Identificação: {{id}}',
  retirar: 'Retirar acesso',
  retirarRotulo: 'Retirar acesso de {{nome}}, em nome de {{username}}',
  peca: 'Para retirar o acesso de um agente, peça ao administrador da conta.',
  verMais: 'Ver mais antigos',
  limite: 'Estes são os {{total}} mais recentes.',
  vazio: {
    titulo: 'Nenhum agente tem acesso',
    texto: 'Quando alguém autorizar um agente, ele aparece aqui, e o acesso pode ser retirado a qualquer momento.',
    usuario: 'Quando você autorizar um agente, ele aparece aqui.',
  },
  retirada: {
    titulo: 'Retirar acesso',
    texto: 'Retirar o acesso de “{{nome}}”, que age em nome de {{username}}? Ele deixa de entrar na hora.',
    volta: 'Para voltar, alguém precisa entrar e autorizá-lo outra vez.',
    confirmar: 'Retirar acesso',
  },
  anuncio: 'Acesso de {{nome}} retirado.',
} as const
