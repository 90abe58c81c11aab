import { Box, Stack } from '@mantine/core';
import type { DraftField } from '#contract/storefront/content.ts';
import { m } from '#messages';
import { client } from '#web/platform/api/client.ts';
import { shownInForm, useChange } from '#web/platform/api/use-change.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { ConfirmDialog, Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { contentSections, fieldName, sectionKeys, sectionOf } from '../editor/content-sections.ts';
import { ChangedTexts } from '../fields/changed-texts.tsx';
import { listChangedTexts } from './change-summary.ts';
import classes from './publishing.module.css';

interface DraftDialogProps {
	/** The fields whose draft differs from what is published. */
	changed: readonly DraftField[];
	/** Loads the draft again. */
	refresh: () => Promise<void>;
	onClose: () => void;
}

/** Lists what visitors will see, and publishes it. */
export function PublishDialog({ changed, refresh, onClose }: DraftDialogProps) {
	const publish = () => client.storefrontContent.publish({ fields: versionsOf(changed) });
	const { run, isBusy, notice } = useDraftAction(publish, refresh, () => {
		toastSuccess(m.editor_published());
		onClose();
	});
	return (
		<Dialog
			onClose={onClose}
			title={m.editor_publish_title()}
			width={640}
			footer={
				<>
					<Button onClick={onClose}>{changed.length === 0 ? m.common_close() : m.common_cancel()}</Button>
					{changed.length > 0 && (
						<Button variant="primary" disabled={isBusy} data-autofocus onClick={() => run(undefined)}>
							{isBusy ? m.editor_publishing() : m.editor_publish()}
						</Button>
					)}
				</>
			}
		>
			{changed.length === 0 ? <p>{m.editor_nothing_changed()}</p> : <ChangedFields changed={changed} />}
			{notice}
		</Dialog>
	);
}

interface DiscardDialogProps extends DraftDialogProps {
	/** Deletes what is unsaved, and returns the fields as the server then has them. */
	forget: () => Promise<DraftField[]>;
}

export function DiscardDialog({ changed, refresh, forget, onClose }: DiscardDialogProps) {
	const discard = async () => {
		// A change that is being saved while the admin discards is discarded too.
		const fields = (await forget()).filter(({ isChanged }) => isChanged);
		if (fields.length > 0) await client.storefrontContent.discard({ fields: versionsOf(fields) });
	};
	const { run, isBusy, notice } = useDraftAction(discard, refresh, () => {
		toastSuccess(m.editor_discarded());
		onClose();
	});
	return (
		<ConfirmDialog
			onClose={onClose}
			onConfirm={() => run(undefined)}
			question={m.editor_discard_question()}
			detail={
				<>
					<Stack gap={12}>
						<p>{m.editor_discard_detail()}</p>
						<ChangedFields changed={changed} />
					</Stack>
					{notice}
				</>
			}
			confirmLabel={m.editor_discard_confirm()}
			isBusy={isBusy}
		/>
	);
}

function versionsOf(changed: readonly DraftField[]) {
	return changed.map(({ field, version }) => ({ field, version }));
}

/** Publishes or discards exactly the changes that are shown. If they are outdated, shows the present ones. */
function useDraftAction(call: () => Promise<unknown>, refresh: () => Promise<void>, onDone: () => void) {
	const callAndRefresh = async () => {
		try {
			await call();
		} finally {
			await refresh().catch(() => {});
		}
	};
	const { mutate, isPending, failure } = useChange(callAndRefresh, { onSuccess: onDone, onError: shownInForm });
	const notice = failure !== undefined && (
		<Box mt={16}>
			<Notice tone="negative">{failure.code === 'STALE' ? m.editor_publish_stale() : failure.message}</Notice>
		</Box>
	);
	return { run: mutate, isBusy: isPending, notice };
}

function ChangedFields({ changed }: { changed: readonly DraftField[] }) {
	return sectionKeys.map((key) => {
		const fields = changed.filter(({ field }) => sectionOf(field) === key);
		if (fields.length === 0) return null;
		const name = contentSections[key].name();
		return (
			<section key={key} className={classes.section} aria-label={name}>
				<h3>{name}</h3>
				{fields.map(({ field, published, value }) => (
					<div key={field} className={classes.change}>
						<h4>{fieldName(field)}</h4>
						<ChangedTexts
							changes={listChangedTexts(field, published, value)}
							names={{ before: m.editor_before(), after: m.editor_after() }}
						/>
					</div>
				))}
			</section>
		);
	});
}
