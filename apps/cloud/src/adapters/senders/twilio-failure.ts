/** Common error codes of Twilio, with the remedy. */
const sentences: Readonly<Record<number, string>> = {
  20003:
    'A Twilio não aceitou a conta ou o token: confira a página Remetentes ou VIGIA_TWILIO_ACCOUNT_SID e ' +
    'VIGIA_TWILIO_AUTH_TOKEN',
  20404: 'A Twilio não encontrou a conta: confira a página Remetentes ou VIGIA_TWILIO_ACCOUNT_SID',
  20429: 'A Twilio pediu menos envios: tente de novo em alguns minutos',
  21211: 'A Twilio diz que este número não é válido',
  21608: 'A conta de teste da Twilio só envia a números verificados: verifique este número no console da Twilio',
  21610: 'Esta pessoa pediu para não receber mensagens deste remetente',
  21655: 'A Twilio não encontrou o modelo da mensagem: confira a página Remetentes ou VIGIA_TWILIO_CONTENT_SID',
  21656: 'A Twilio não aceitou as variáveis do modelo: ele deve usar {{1}} a {{4}}',
  21660: 'O remetente não é desta conta da Twilio: confira a página Remetentes ou VIGIA_TWILIO_REMETENTE',
  63003: 'Este número não tem WhatsApp',
  63007:
    'O remetente não é um número de WhatsApp desta conta da Twilio: confira a página Remetentes ou ' +
    'VIGIA_TWILIO_REMETENTE',
  63015: 'Este número ainda não entrou no sandbox de WhatsApp da Twilio',
  63016:
    'O WhatsApp só aceita um modelo aprovado para quem não escreveu nas últimas 24 horas: confira ' +
    'a página Remetentes ou VIGIA_TWILIO_CONTENT_SID',
  63018: 'O WhatsApp pediu menos envios: tente de novo em alguns minutos',
  63024: 'Este número não pode receber mensagens de WhatsApp',
  63038: 'A conta da Twilio chegou ao limite de mensagens do dia',
}

/** Codes that concern the account or its sender, and therefore every Empresa. */
const ofAccount: readonly number[] = [20003, 20404, 20429, 21655, 21660, 63007, 63016, 63018, 63038]

/** @param status HTTP status of the answer; undefined: it was accepted first */
export const isOfAccount = (code: number, status: number | undefined): boolean =>
  ofAccount.includes(code) || (status !== undefined && (status >= 500 || [401, 403, 429].includes(status)))

/** The sentence contains the code, which is documented at twilio.com/docs/api/errors. */
export const twilioFailure = (code: number): string =>
  `${sentences[code] ?? 'A Twilio recusou a mensagem'} (código ${code} da Twilio).`
