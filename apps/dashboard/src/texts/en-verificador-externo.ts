import type { SameTexts } from './shape.ts'

/** English texts about the external verifier. */
export const verificadorExterno: SameTexts<typeof import('./pt-br-verificador-externo.ts')['verificadorExterno']> = {
  titulo: 'External verifier',
  ajuda:
    'A vision-language model checks the alerts that the local verifier was unsure of. ' +
    'It confirms them or leaves the doubt; alone it never discards an alert.',
  so: 'Only the administrator of the account sees the external verifier.',
  sem: {
    titulo: 'No external verifier configured',
    texto: 'The operator of this installation configured none. Pictures are checked by the installation alone.',
  },
  servico: 'Service: {{servidor}} · model {{modelo}}',
  lgpd:
    'While on, the crop and the whole frame of each doubtful alert leave this installation for {{servidor}}. ' +
    'The operator of that service receives pictures of people: personal data, which may go to another country. ' +
    'The company stays responsible for them (LGPD): check the contract and the legal basis before switching it on.',
  lista: 'Companies',
  ligado: 'On',
  desligado: 'Off',
  mudou: 'The service changed: the administrator had switched on {{servidor}}. If you agree, switch it on again.',
  soPropria: 'Only an administrator of the company itself switches it on.',
  esgotado:
    'The limit of this month is used up. Until next month the local verifier decides alone. The operator can raise it.',
  mes: 'Use in {{mes}}',
  chamadas: 'Calls',
  deLimite: '{{uso}} of {{limite}}',
  semResposta: 'Without a usable answer',
  tokens: 'Tokens (in and out)',
  preco: 'Price',
  semPreco: 'not given',
  ultimoErro: 'Last error, {{quando}}: {{frase}}',
  ligar: 'Switch on',
  ligarTitulo: 'Switch on the external verifier',
  ligarRotulo: 'Switch on the external verifier of {{nome}}',
  desligar: 'Switch off',
  desligarTitulo: 'Switch off the external verifier',
  desligarRotulo: 'Switch off the external verifier of {{nome}}',
  desligarTexto: 'Pictures of {{nome}} stop leaving. Doubtful alerts stay “may be”.',
  limite: 'Change limit',
  limiteRotulo: 'Change limit of calls of {{nome}}',
  campo: 'Calls per month',
  campoAjuda: 'Empty: the default of the installation. A doubtful alert usually costs one call.',
  campoErrado: 'Enter a whole number from 0 to 10000000, or leave it empty.',
  verMais: 'Show more companies',
  anuncio: {
    ligado: 'External verifier of {{nome}} switched on.',
    desligado: 'External verifier of {{nome}} switched off.',
    limite: 'Limit of {{nome}} saved.',
  },
}
