import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ConviteCriado, conviteCriadoSchema } from '@vigia/contracts/convites'
import { papeis } from '@vigia/contracts/usuarios'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { CopiedSecret, OnceNote } from '../../../ui/copied-secret.tsx'
import { DialogButtons } from '../../../ui/dialog.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { InfoDialog } from '../../../ui/info-dialog.tsx'
import { useApiForm } from '../../../ui/use-api-form.ts'
import { Required } from '../../../ui/warning.tsx'
import { AlcanceField } from '../../locais/cameras/alcance-field.tsx'
import { OwnerFields } from '../../locais/cameras/owner-fields.tsx'
import { useOwner } from '../../locais/cameras/use-owner.ts'
import { checkConvite, conviteCreationOf, emptyConvite, type FormularioConvite, isLocalLink } from './invite-form.ts'

/** Two steps: role and Empresa of the invitation, then its link, which is shown only once. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const owner = useOwner({ creates: false })
  const form = useApiForm({
    initial: emptyConvite,
    check: checkConvite,
    sentence: (problem) =>
      problem === 'listaFalta' ? t('comum.alcance.listaFalta') : t(`convites.formulario.${problem}`),
  })
  const creation = useMutation({
    mutationFn: (values: FormularioConvite) =>
      api.send('POST', '/convites', conviteCreationOf(values), conviteCriadoSchema),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['convites'] })
      announce(t('convites.anuncio.criado'))
    },
    onError: form.refuse,
    // The cache must not keep the link after the dialog closes.
    gcTime: 0,
  })
  if (creation.data) return <NewInvitation created={creation.data} onClose={onClose} />
  return (
    <FormDialog
      title={t('convites.formulario.titulo')}
      submit={t('convites.formulario.criar')}
      busy={creation.isPending}
      form={form}
      onClose={onClose}
      onSubmit={creation.mutate}
    >
      <TextInput
        label={t('convites.formulario.para')}
        placeholder={t('convites.formulario.paraExemplo')}
        maxLength={80}
        autoComplete="off"
        data-autofocus
        {...form.field('para')}
      />
      <NativeSelect
        label={t('convites.formulario.papel')}
        data={papeis.map((value) => ({ value, label: t(`pessoas.papel.${value}`) }))}
        {...form.field('papel')}
      />
      <OwnerFields owner={owner} form={form} />
      <AlcanceField form={form} administra={form.values.papel === 'administrador'} />
    </FormDialog>
  )
}

function NewInvitation({ created, onClose }: { readonly created: ConviteCriado; readonly onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <InfoDialog guarded title={t('convites.novo.titulo')} onClose={onClose}>
      <CopiedSecret
        label={t('convites.novo.rotulo')}
        copy={t('convites.novo.copiar')}
        copied={t('convites.novo.copiado')}
        selected={t('convites.novo.selecionado')}
      >
        {created.link}
      </CopiedSecret>
      <OnceNote>{t('convites.novo.umaVez')}</OnceNote>
      {isLocalLink(created.link) && <Required role="status">{t('convites.novo.local')}</Required>}
      <DialogButtons>
        <Button onClick={onClose}>{t('convites.novo.pronto')}</Button>
      </DialogButtons>
    </InfoDialog>
  )
}
