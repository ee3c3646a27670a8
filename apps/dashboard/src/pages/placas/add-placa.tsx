import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { placaListadaSchema } from '@vigia/contracts/placas'
import { useTranslation } from 'react-i18next'
import { OwnerFields } from '../../domains/locais/cameras/owner-fields.tsx'
import { useOwner } from '../../domains/locais/cameras/use-owner.ts'
import { useServices } from '../../session/services.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useApiForm } from '../../ui/use-api-form.ts'
import { PlacaFields } from './placa-fields.tsx'
import { checkPlaca, emptyPlaca, type FormularioPlaca, placaCreationOf } from './placa-form.ts'

export function AddPlaca({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const owner = useOwner({ creates: false })
  const form = useApiForm({
    initial: emptyPlaca,
    check: checkPlaca,
    sentence: (problem) => t(`placas.formulario.${problem}`),
  })
  const creation = useMutation({
    mutationFn: (values: FormularioPlaca) =>
      api.send('POST', '/placas', placaCreationOf(values, Date.now()), placaListadaSchema),
    onSuccess({ placa }) {
      void queries.invalidateQueries({ queryKey: ['placas'] })
      announce(t('placas.listas.anuncio.criada', { placa }))
      onClose()
    },
    onError: form.refuse,
  })
  return (
    <FormDialog
      title={t('placas.listas.criar')}
      submit={t('placas.formulario.salvar')}
      busy={creation.isPending}
      form={form}
      onClose={onClose}
      onSubmit={creation.mutate}
    >
      <TextInput
        label={t('placas.formulario.placa')}
        placeholder={t('placas.formulario.placaExemplo')}
        maxLength={20}
        autoComplete="off"
        data-autofocus
        {...form.field('placa')}
      />
      <OwnerFields owner={owner} form={form} />
      <PlacaFields form={form} />
    </FormDialog>
  )
}
