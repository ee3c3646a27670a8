/** Texts about alerts on the devices of a login (Web Push). */
export const avisos = {
  titulo: 'Avisos neste aparelho',
  ligado: 'Ligados',
  desligado: 'Desligados',
  texto:
    'Com os avisos ligados, este aparelho mostra cada incidente confirmado, com a imagem, mesmo com o painel ' +
    'fechado. Sair do painel neste aparelho desliga os avisos.',
  nivel: 'Avisar de',
  niveis: {
    baixa: 'Toda gravidade',
    media: 'Gravidade média para cima',
    alta: 'Gravidade alta para cima',
    critica: 'Só gravidade crítica',
  },
  ligar: 'Ligar avisos',
  desligar: 'Desligar',
  testar: 'Mandar um aviso de teste',
  outros: 'Outros aparelhos deste login',
  retirar: 'Retirar',
  retirarRotulo: 'Parar de avisar: {{nome}}',
  entregue: 'Último aviso {{quando}}',
  anuncio: {
    ligado: 'Avisos ligados neste aparelho.',
    desligado: 'Avisos desligados neste aparelho.',
    testado: 'Aviso de teste enviado.',
    retirado: 'O aparelho não é mais avisado.',
  },
  problema: {
    semHttps:
      'Os avisos precisam de um endereço https. Abra o painel pelo endereço https da central, ou peça um à ' +
      'administração.',
    instalar:
      'No iPhone e no iPad, primeiro ponha o painel na tela de início: Compartilhar, Adicionar à Tela de Início.',
    semSuporte: 'Este navegador não recebe avisos. Use Chrome, Edge, Firefox ou Safari atualizado.',
    bloqueado: 'O navegador bloqueou as notificações deste endereço. Libere-as nas permissões do site e volte aqui.',
    recusado: 'O navegador não conseguiu se inscrever no serviço de avisos. Confira a internet e tente outra vez.',
  },
}
