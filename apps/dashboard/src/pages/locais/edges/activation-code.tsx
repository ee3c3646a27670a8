import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { DialogButtons } from '../../../ui/dialog.tsx'
import { InfoDialog } from '../../../ui/info-dialog.tsx'
import { ActivationSteps, type ActivationStepsProps } from './activation-steps.tsx'

interface ActivationCodeProps extends ActivationStepsProps {
  readonly nome: string
  readonly onClose: () => void
}

/** Dialog with a new activation code of an edge. */
export function ActivationCode({ nome, onClose, ...steps }: ActivationCodeProps) {
  const { t } = useTranslation()
  return (
    <InfoDialog guarded title={t('caixas.codigo.titulo', { nome })} onClose={onClose}>
      <ActivationSteps {...steps} />
      <DialogButtons>
        <Button onClick={onClose}>{t('caixas.codigo.guardado')}</Button>
      </DialogButtons>
    </InfoDialog>
  )
}
