import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { testeCanalSchema } from '@vigia/contracts/notificacoes'
import type { TipoRemetente } from '@vigia/contracts/remetentes'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { CardAlarm, CardFacts } from '../../../ui/card.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useApiForm } from '../../../ui/use-api-form.ts'

/** Sends a test message to one destination, and shows what the service refused. */
export function TestRemetente({ tipo, onClose }: { readonly tipo: TipoRemetente; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const form = useApiForm<'destino', 'destinoFalta'>({
    initial: { destino: '' },
    check: ({ destino }) => (destino.trim() === '' ? { destino: 'destinoFalta' } : {}),
    sentence: (problem) => t(`remetentes.${problem}`),
  })
  const test = useMutation({
    mutationFn: ({ destino }: { destino: string }) =>
      api.send('POST', `/remetentes/${tipo}/teste`, { destino: destino.trim() }, testeCanalSchema),
    onError: form.refuse,
  })
  return (
    <FormDialog
      title={t('remetentes.testarRotulo', { nome: t(`remetentes.tipo.${tipo}`) })}
      submit={t('remetentes.enviarTeste')}
      busy={test.isPending}
      form={form}
      onClose={onClose}
      onSubmit={test.mutate}
    >
      <TextInput
        label={t('remetentes.destino')}
        description={t(`remetentes.destinoExemplo.${tipo}`)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
        {...form.field('destino')}
      />
      {test.data && (
        <div role="status">
          {test.data.ok && <CardFacts>{t('remetentes.enviado')}</CardFacts>}
          {test.data.erros.map((erro) => (
            <CardAlarm key={erro}>{erro}</CardAlarm>
          ))}
          {test.data.avisos.map((aviso) => (
            <CardFacts key={aviso}>{aviso}</CardFacts>
          ))}
        </div>
      )}
    </FormDialog>
  )
}
