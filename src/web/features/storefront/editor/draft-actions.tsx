import { IconArrowBackUp, IconDots, IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { m } from '#messages';
import { toastError } from '#web/platform/browser/toasts.ts';
import { useIsPhone } from '#web/ui/hooks/viewport.ts';
import { MenuButton } from '#web/ui/overlays/dropdown-buttons.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import type { DraftOverview, DraftSaver } from '../draft/draft-saver.ts';
import { DiscardDialog, PublishDialog } from '../publishing/publish-dialog.tsx';
import { VersionsDialog } from '../publishing/versions-dialog.tsx';

interface DraftActionsProps {
	saver: DraftSaver;
	overview: DraftOverview;
	/** Loads the draft again. */
	refresh: () => Promise<void>;
}

export function DraftActions({ saver, overview, refresh }: DraftActionsProps) {
	const [dialog, setDialog] = useState<'publish' | 'discard' | 'versions'>();
	const isPhone = useIsPhone();
	const changed = overview.fields.map(({ saved }) => saved).filter(({ isChanged }) => isChanged);
	const close = () => setDialog(undefined);
	const openPublish = async () => {
		if (await saver.flush()) setDialog('publish');
		else toastError(m.editor_publish_unsaved());
	};
	const others = [
		{ label: m.editor_versions(), icon: IconHistory, run: () => setDialog('versions'), isDisabled: false },
		{
			label: m.editor_discard(),
			icon: IconArrowBackUp,
			run: () => setDialog('discard'),
			isDisabled: changed.length === 0 && !overview.isBlocked,
		},
	];
	return (
		<>
			{isPhone ? (
				<MenuButton
					position="bottom-end"
					width={224}
					button={(props) => <IconButton label={m.common_more()} icon={IconDots} {...props} />}
				>
					{(Menu) =>
						others.map(({ label, icon: ItemIcon, run, isDisabled }) => (
							<Menu.Item key={label} leftSection={<ItemIcon {...iconProps} />} disabled={isDisabled} onClick={run}>
								{label}
							</Menu.Item>
						))
					}
				</MenuButton>
			) : (
				others.map(({ label, icon, run, isDisabled }) => (
					<Button key={label} icon={icon} disabled={isDisabled} onClick={run}>
						{label}
					</Button>
				))
			)}
			<Button variant="primary" onClick={() => void openPublish()}>
				{m.editor_publish()}
			</Button>
			{dialog === 'publish' && <PublishDialog changed={changed} refresh={refresh} onClose={close} />}
			{dialog === 'discard' && (
				<DiscardDialog changed={changed} refresh={refresh} forget={saver.forget} onClose={close} />
			)}
			{dialog === 'versions' && <VersionsDialog onClose={close} />}
		</>
	);
}
