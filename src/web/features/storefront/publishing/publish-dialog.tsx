import { Stack } from '@mantine/core';
import { useState } from 'react';
import type { DraftField } from '#contract/storefront/content.ts';
import { m } from '#messages';
import { client } from '#web/platform/api/client.ts';
import { shownInForm, useChange } from '#web/platform/api/use-change.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { contentSections, fieldNames, sectionKeys } from '../editor/content-sections.ts';
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
	const { run, isBusy, notice } = useDraftAction(client.storefrontContent.publish, refresh, () => {
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
						<Button variant="primary" disabled={isBusy} data-autofocus onClick={() => run(changed)}>
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
	/** Deletes what could not be saved. */
	onDiscarded: () => void;
}

export function DiscardDialog({ changed, refresh, onDiscarded, onClose }: DiscardDialogProps) {
	const finish = () => {
		onDiscarded();
		toastSuccess(m.editor_discarded());
		onClose();
	};
	const { run, isBusy, notice } = useDraftAction(client.storefrontContent.discard, refresh, finish);
	return (
		<Dialog
			onClose={onClose}
			title={m.editor_discard_question()}
			width={640}
			footer={
				<>
					<Button onClick={onClose} data-autofocus>
						{m.common_cancel()}
					</Button>
					<Button variant="danger" disabled={isBusy} onClick={() => (changed.length === 0 ? finish() : run(changed))}>
						{m.editor_discard_confirm()}
					</Button>
				</>
			}
		>
			<Stack gap={12}>
				<p>{m.editor_discard_detail()}</p>
				<ChangedFields changed={changed} />
			</Stack>
			{notice}
		</Dialog>
	);
}

type SeenFields = { fields: Array<Pick<DraftField, 'field' | 'version'>> };

/** Publishes or discards exactly the changes that are shown. If they are outdated, shows the present ones. */
function useDraftAction(
	call: (input: SeenFields) => Promise<unknown>,
	refresh: () => Promise<void>,
	onDone: () => void,
) {
	const [isOutdated, setOutdated] = useState(false);
	const { mutate, isPending, failure } = useChange(call, {
		onSuccess: () => void refresh().finally(onDone),
		onError: shownInForm,
	});
	const run = (changed: readonly DraftField[]) => {
		setOutdated(false);
		mutate(
			{ fields: changed.map(({ field, version }) => ({ field, version })) },
			{ onError: () => void refresh().finally(() => setOutdated(true)) },
		);
	};
	const isStale = failure?.code === 'STALE';
	const notice = failure !== undefined && (!isStale || isOutdated) && (
		<div className={classes.notice}>
			<Notice tone="negative">{isStale ? m.editor_publish_stale() : failure.message}</Notice>
		</div>
	);
	return { run, isBusy: isPending, notice };
}

function ChangedFields({ changed }: { changed: readonly DraftField[] }) {
	return sectionKeys.map((key) => {
		const fields = changed.filter(({ field }) => contentSections[key].fields.includes(field));
		if (fields.length === 0) return null;
		return (
			<section key={key} className={classes.section} aria-label={contentSections[key].name()}>
				<h3>{contentSections[key].name()}</h3>
				{fields.map(({ field, published, value }) => (
					<div key={field} className={classes.change}>
						<h4>{fieldNames[field]()}</h4>
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
