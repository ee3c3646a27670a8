import { secretPurposes } from '../adapters/secret-purposes.ts'

/**
 * Every column that the secret box has sealed. A new one belongs here: the next rotation of the key would lose it.
 * `remade`: the program makes another itself, so that one which cannot be opened is dropped, and keeps nobody waiting.
 */
export const sealedColumns = [
  { tabela: 'cameras', coluna: 'rtsp_url_cifrada', purpose: secretPurposes.cameraUrl, remade: false },
  { tabela: 'cameras', coluna: 'sub_rtsp_url_cifrada', purpose: secretPurposes.cameraSubUrl, remade: false },
  { tabela: 'gravadores', coluna: 'senha_cifrada', purpose: secretPurposes.gravadorSenha, remade: false },
  { tabela: 'canais_notificacao', coluna: 'segredo_cifrado', purpose: secretPurposes.canalSegredo, remade: false },
  { tabela: 'usuarios', coluna: 'segundo_fator_cifrado', purpose: secretPurposes.segundoFator, remade: false },
  { tabela: 'chaves_oauth', coluna: 'privada_cifrada', purpose: secretPurposes.chaveOauth, remade: true },
] as const

export type SealedColumn = (typeof sealedColumns)[number]
