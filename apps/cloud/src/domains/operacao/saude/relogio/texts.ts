/** Portuguese sentences about a clock in doubt. */
export const CLOCK_TITLE = 'Hora duvidosa no servidor'
export const CLOCK_TEXT =
  'O relógio do servidor mudou mais de um dia sem confirmação das caixas. Nada é apagado por prazo enquanto isso. ' +
  'O operador confere a hora do servidor e, se ela está certa, confirma no painel.'
