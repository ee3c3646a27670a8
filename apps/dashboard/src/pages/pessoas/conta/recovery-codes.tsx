import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { CopiedSecret, OnceNote } from '../../../ui/copied-secret.tsx'
import { DialogButtons } from '../../../ui/dialog.tsx'
import { downloadText } from '../../../ui/download-text.ts'
import { InfoDialog } from '../../../ui/info-dialog.tsx'

interface RecoveryCodesProps {
  readonly codigos: readonly string[]
  readonly username: string
  readonly onClose: () => void
}

/** The recovery codes, which are shown only once. */
export function RecoveryCodes({ codigos, username, onClose }: RecoveryCodesProps) {
  const { t } = useTranslation()
  const list = codigos.join('\n')
  return (
    <InfoDialog guarded title={t('conta.codigos.titulo')} onClose={onClose}>
      <p>{t('conta.codigos.texto')}</p>
      <OnceNote>{t('conta.codigos.umaVez')}</OnceNote>
      <CopiedSecret
        label={t('conta.codigos.rotulo')}
        copy={t('conta.codigos.copiar')}
        copied={t('conta.codigos.copiado')}
        selected={t('conta.codigos.selecionado')}
        more={
          <Button
            variant="default"
            leftSection={<IconDownload size={18} />}
            onClick={() =>
              downloadText(t('conta.codigos.arquivo'), `${t('conta.codigos.cabecalho', { username })}\n\n${list}\n`)
            }
          >
            {t('conta.codigos.baixar')}
          </Button>
        }
      >
        {list}
      </CopiedSecret>
      <DialogButtons>
        <Button onClick={onClose}>{t('conta.codigos.guardei')}</Button>
      </DialogButtons>
    </InfoDialog>
  )
}
