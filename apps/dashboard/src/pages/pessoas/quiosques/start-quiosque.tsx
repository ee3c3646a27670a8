import { NativeSelect, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { quiosqueSchema } from '@vigia/contracts/quiosques'
import { useTranslation } from 'react-i18next'
import { ownAddress } from '../../../api/base-path.ts'
import { AlcanceField } from '../../../domains/locais/cameras/alcance-field.tsx'
import { OwnerFields } from '../../../domains/locais/cameras/owner-fields.tsx'
import { useOwner } from '../../../domains/locais/cameras/use-owner.ts'
import { useServices } from '../../../session/services.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useApiForm } from '../../../ui/use-api-form.ts'
import { checkQuiosque, emptyQuiosque, type FormularioQuiosque, quiosqueCreationOf } from './quiosque-form.ts'

/** Turns the screen of this page into a quiosque. */
export function StartQuiosque({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const owner = useOwner({ creates: false })
  const form = useApiForm({
    initial: emptyQuiosque,
    check: checkQuiosque,
    sentence: (problem) =>
      problem === 'listaFalta' ? t('comum.alcance.listaFalta') : t(`quiosques.formulario.${problem}`),
  })
  const creation = useMutation({
    mutationFn: (values: FormularioQuiosque) =>
      api.send('POST', '/quiosques', quiosqueCreationOf(values), quiosqueSchema),
    // The cookie is that of the quiosque now: the page starts again with its rights.
    onSuccess: () => location.assign(ownAddress('/')),
    onError: form.refuse,
  })
  return (
    <FormDialog
      title={t('quiosques.formulario.titulo')}
      submit={t('quiosques.formulario.criar')}
      busy={creation.isPending || creation.isSuccess}
      form={form}
      onClose={onClose}
      onSubmit={creation.mutate}
    >
      <p>{t('quiosques.formulario.texto')}</p>
      <TextInput
        label={t('quiosques.formulario.nome')}
        placeholder={t('quiosques.formulario.nomeExemplo')}
        maxLength={80}
        autoComplete="off"
        data-autofocus
        {...form.field('nome')}
      />
      <OwnerFields owner={owner} form={form} />
      <AlcanceField form={form} administra={false} />
      <NativeSelect
        label={t('quiosques.formulario.papel')}
        data={(['vigilante', 'usuario'] as const).map((value) => ({
          value,
          label: t(`quiosques.formulario.${value}`),
        }))}
        {...form.field('papel')}
      />
    </FormDialog>
  )
}
