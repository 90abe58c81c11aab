import { Box } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useMemo, useRef, useState } from 'react';
import { type Locale, languageNames } from '#contract/core/text.ts';
import type { StorefrontImage } from '#contract/storefront/content.ts';
import { m } from '#messages';
import { oneOf, orElse, stateOf } from '#web/platform/browser/readers.ts';
import { useUrlState } from '#web/platform/browser/url-state.ts';
import { currentLocale } from '#web/platform/formats/locale.ts';
import { LoadedSettings } from '#web/ui/forms/loaded-settings.tsx';
import { SegmentedSwitch } from '#web/ui/forms/segmented-switch.tsx';
import { UnsavedChangesGuard } from '#web/ui/forms/unsaved-changes-guard.tsx';
import { useHeightVariable, useIsPhone } from '#web/ui/hooks/viewport.ts';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import type { DraftSaver } from '../draft/draft-saver.ts';
import { useDraftSaver } from '../draft/use-draft-saver.ts';
import { PagePreview, type PreviewWidth } from '../preview/page-preview.tsx';
import { contentSections, type SectionKey, sectionKeys } from './content-sections.ts';
import { DraftActions } from './draft-actions.tsx';
import { DraftStatus } from './draft-status.tsx';
import classes from './editor.module.css';
import { EditorContext, useDraftOverview } from './editor-context.ts';
import { EditorSections } from './editor-sections.tsx';

const editorSearch = stateOf({
	section: orElse(oneOf(['', ...sectionKeys]), ''),
	view: orElse(oneOf(['edit', 'preview']), 'edit'),
});

/** /admin/storefront: edits the draft of the storefront beside a preview, and publishes it. */
export function StorefrontEditor() {
	const { draft, saver, refresh } = useDraftSaver();
	const isReceived = useDraftOverview(saver).fields.length > 0;
	if (draft.data !== undefined && isReceived)
		return <LoadedEditor images={draft.data.images} saver={saver} refresh={refresh} />;
	return (
		<>
			<PageHeader title={m.screen_storefront()} />
			<Box p="16px var(--gutter)" maw={480}>
				<LoadedSettings query={draft} failed={m.editor_load_failed()}>
					{() => null}
				</LoadedSettings>
			</Box>
		</>
	);
}

interface LoadedEditorProps {
	images: readonly StorefrontImage[];
	saver: DraftSaver;
	refresh: () => Promise<void>;
}

function LoadedEditor({ images, saver, refresh }: LoadedEditorProps) {
	const [search, setSearch] = useUrlState(editorSearch);
	const isWide = useMediaQuery('(min-width: 1100px)', true, { getInitialValueInEffect: false });
	const isPhone = useIsPhone();
	const toolbar = useRef<HTMLDivElement>(null);
	useHeightVariable(toolbar, '--editor-toolbar');
	const overview = useDraftOverview(saver);
	const languages = saver.get('languages')?.value as readonly Locale[];
	const [chosenLanguage, setLanguage] = useState<Locale>(currentLocale());
	const language = languages.find((code) => code === chosenLanguage) ?? languages[0] ?? 'en';
	const [previewWidth, setPreviewWidth] = useState<PreviewWidth>(isPhone ? 'phone' : 'desktop');
	const [uploaded, setUploaded] = useState<readonly StorefrontImage[]>([]);
	const [target, setTarget] = useState({ selector: contentSections[search.section || 'hero'].target });
	const editor = useMemo(
		() => ({
			saver,
			language,
			images: new Map([...images, ...uploaded].map((image) => [image.id, image])),
			addImage: (image: StorefrontImage) => setUploaded((others) => [...others, image]),
			reveal: (selector: string) => setTarget({ selector }),
		}),
		[saver, language, images, uploaded],
	);
	const open = (section: SectionKey | '') => {
		setSearch({ section });
		if (section !== '') editor.reveal(contentSections[section].target);
	};

	return (
		<EditorContext value={editor}>
			<UnsavedChangesGuard isUnsaved={overview.isBlocked} detail={m.editor_unsaved()} />
			<PageHeader
				title={m.screen_storefront()}
				actions={<DraftActions saver={saver} overview={overview} refresh={refresh} />}
			/>
			<div ref={toolbar} className={classes.toolbar}>
				{!isWide && (
					<SegmentedSwitch
						label={m.editor_view()}
						value={search.view}
						onChange={(view) => setSearch({ view })}
						segments={[
							{ value: 'edit', label: m.editor_view_edit() },
							{ value: 'preview', label: m.editor_view_preview() },
						]}
					/>
				)}
				{languages.length > 1 && (
					<SegmentedSwitch
						label={m.editor_language()}
						value={language}
						onChange={setLanguage}
						segments={languages.map((code) => ({ value: code, label: languageNames[code] }))}
					/>
				)}
				<DraftStatus overview={overview} onRetry={saver.retry} />
				{(isWide || search.view === 'preview') && (
					<Box ml="auto">
						<SegmentedSwitch
							label={m.editor_preview_width()}
							value={previewWidth}
							onChange={setPreviewWidth}
							segments={[
								{ value: 'desktop', label: m.editor_width_desktop(), icon: <IconDeviceDesktop {...iconProps} /> },
								{ value: 'phone', label: m.editor_width_phone(), icon: <IconDeviceMobile {...iconProps} /> },
							]}
						/>
					</Box>
				)}
			</div>
			<div className={classes.columns}>
				{(isWide || search.view === 'edit') && (
					<EditorSections overview={overview} opened={search.section} onOpen={open} />
				)}
				{(isWide || search.view === 'preview') && (
					<div className={classes.preview}>
						<PagePreview
							key={language}
							language={language}
							width={previewWidth}
							revision={overview.revision}
							target={target}
						/>
					</div>
				)}
			</div>
		</EditorContext>
	);
}
