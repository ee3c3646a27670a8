/**
 * What each sealed value is bound to (associated data of the secret box): table, field and row. A ciphertext that is
 * copied elsewhere in the database does not open there. In one place, because whoever rotates the key has to open and
 * seal all of them; a text that changes makes what is stored unreadable.
 */
export const secretPurposes = {
  cameraUrl: (cameraId: number) => `cameras/rtsp_url/${cameraId}`,
  cameraSubUrl: (cameraId: number) => `cameras/sub_rtsp_url/${cameraId}`,
  gravadorSenha: (gravadorId: number) => `gravadores/senha/${gravadorId}`,
  segundoFator: (usuarioId: number) => `usuarios/segundo_fator/${usuarioId}`,
  chaveOauth: (chaveId: number) => `chaves_oauth/privada/${chaveId}`,
  canalSegredo: (canalId: number) => `canais_notificacao/segredo/${canalId}`,
} as const
