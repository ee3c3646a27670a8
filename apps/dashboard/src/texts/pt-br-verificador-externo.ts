/** Texts about the external verifier. */
export const verificadorExterno = {
  titulo: 'Verificador externo',
  ajuda:
    'Um modelo de visão e linguagem confere os alertas em que o verificador local ficou em dúvida. ' +
    'Ele confirma ou deixa a dúvida; sozinho, nunca descarta um alerta.',
  so: 'Só o administrador da conta vê o verificador externo.',
  sem: {
    titulo: 'Nenhum verificador externo configurado',
    texto: 'O operador desta instalação não configurou nenhum. As imagens são conferidas só pela própria instalação.',
  },
  servico: 'Serviço: {{servidor}} · modelo {{modelo}}',
  lgpd:
    'Ligado, o recorte e o quadro inteiro de cada alerta duvidoso saem desta instalação para {{servidor}}. ' +
    'Quem opera esse serviço recebe imagens de pessoas, que são dados pessoais, e elas podem ir a outro país. ' +
    'A Empresa continua responsável por elas (LGPD): confira o contrato e a base legal antes de ligar.',
  lista: 'Empresas',
  ligado: 'Ligado',
  desligado: 'Desligado',
  mudou: 'O serviço mudou: o administrador tinha ligado {{servidor}}. Se concordar com o novo, ligue de novo.',
  soPropria: 'Só um administrador da própria Empresa liga.',
  esgotado:
    'O limite deste mês acabou. Até o mês que vem, vale só o verificador local. O operador pode aumentar o limite.',
  mes: 'Uso em {{mes}}',
  chamadas: 'Chamadas',
  deLimite: '{{uso}} de {{limite}}',
  semResposta: 'Sem resposta útil',
  tokens: 'Tokens (entrada e saída)',
  preco: 'Preço',
  semPreco: 'não informado',
  ultimoErro: 'Último erro, {{quando}}: {{frase}}',
  ligar: 'Ligar',
  ligarTitulo: 'Ligar o verificador externo',
  ligarRotulo: 'Ligar o verificador externo de {{nome}}',
  desligar: 'Desligar',
  desligarTitulo: 'Desligar o verificador externo',
  desligarRotulo: 'Desligar o verificador externo de {{nome}}',
  desligarTexto: 'As imagens de {{nome}} param de sair. Os alertas duvidosos ficam como “pode ser”.',
  limite: 'Mudar limite',
  limiteRotulo: 'Mudar limite de chamadas de {{nome}}',
  campo: 'Chamadas por mês',
  campoAjuda: 'Vazio: o padrão da instalação. Cada alerta duvidoso custa em geral uma chamada.',
  campoErrado: 'Informe um número inteiro de 0 a 10000000, ou deixe vazio.',
  verMais: 'Ver mais Empresas',
  anuncio: {
    ligado: 'Verificador externo de {{nome}} ligado.',
    desligado: 'Verificador externo de {{nome}} desligado.',
    limite: 'Limite de {{nome}} salvo.',
  },
}
