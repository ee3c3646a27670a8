import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ChaveCriada, chaveCriadaSchema, escoposChave } from '@vigia/contracts/chaves'
import { useTranslation } from 'react-i18next'
import dialog from '../cameras/camera-dialog.module.css'
import { CameraDialog } from '../cameras/camera-dialog.tsx'
import { OwnerFields } from '../cameras/owner-fields.tsx'
import { useForm } from '../cameras/use-form.ts'
import { useOwner } from '../cameras/use-owner.ts'
import classes from '../conta/conta.module.css'
import { CopiedSecret } from '../conta/copied-secret.tsx'
import codes from '../edges/activation-code.module.css'
import { useAnnounce } from '../painel/announcer.tsx'
import { InfoDialog } from '../painel/info-dialog.tsx'
import { useServices } from '../services.ts'
import { camposChave, chaveCreationOf, checkChave, emptyChave, type ProblemaChave, validades } from './chave-form.ts'

/** Two steps: name and rights of the chave, then its secret, which is shown only once. */
export function AddChave({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const owner = useOwner()
  const fields = useForm(
    camposChave,
    () => emptyChave(owner.initial),
    (problem: ProblemaChave) => t(`chaves.formulario.${problem}`),
  )
  const only = owner.operator && owner.empresas.length === 1 ? String(owner.empresas[0]?.id) : ''
  const form = { ...fields.form, empresa_id: fields.form.empresa_id || only }
  const field: typeof fields.field = (name) => ({ ...fields.field(name), value: form[name] })
  const creation = useMutation({
    mutationFn: () => api.send('POST', '/chaves', chaveCreationOf(form, Date.now()), chaveCriadaSchema),
    onSuccess({ nome }) {
      void queries.invalidateQueries({ queryKey: ['chaves'] })
      announce(t('chaves.anuncio.criada', { nome }))
    },
    onError: fields.refuse,
    // The cache must not keep the secret after the dialog closes.
    gcTime: 0,
  })
  if (creation.data) return <NewChave created={creation.data} onClose={onClose} />
  return (
    <CameraDialog
      title={t('chaves.formulario.titulo')}
      submit={t('chaves.formulario.criar')}
      busy={creation.isPending}
      failure={fields.failure}
      onClose={onClose}
      onSubmit={() => fields.accept(checkChave(form, { needsEmpresa: owner.operator })) && creation.mutate()}
    >
      <div className={dialog.fields} ref={fields.fields}>
        <TextInput
          label={t('chaves.formulario.nome')}
          placeholder={t('chaves.formulario.nomeExemplo')}
          maxLength={80}
          autoComplete="off"
          data-autofocus
          {...field('nome')}
        />
        <OwnerFields empresas={owner.empresas} mayCreate={false} field={field} />
        <NativeSelect
          label={t('chaves.formulario.escopo')}
          data={escoposChave.map((value) => ({ value, label: t(`chaves.formulario.${value}`) }))}
          {...field('escopo')}
        />
        <NativeSelect
          label={t('chaves.formulario.validade')}
          data={validades.map((value) => ({
            value,
            label: value === '' ? t('chaves.formulario.semFim') : t('chaves.formulario.dias', { count: Number(value) }),
          }))}
          {...field('validade')}
        />
      </div>
    </CameraDialog>
  )
}

function NewChave({ created, onClose }: { created: ChaveCriada; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <InfoDialog guarded title={t('chaves.nova.titulo', { nome: created.nome })} onClose={onClose}>
      <CopiedSecret
        label={t('chaves.nova.rotulo')}
        copy={t('chaves.nova.copiar')}
        copied={t('chaves.nova.copiado')}
        selected={t('chaves.nova.selecionado')}
      >
        {created.chave}
      </CopiedSecret>
      <p className={classes.once}>{t('chaves.nova.umaVez')}</p>
      <p>{t('chaves.nova.uso')}</p>
      <pre className={codes.command} translate="no">
        Authorization: Bearer {created.inicio}…
      </pre>
      <div className={dialog.buttons}>
        <Button onClick={onClose}>{t('chaves.nova.guardei')}</Button>
      </div>
    </InfoDialog>
  )
}
