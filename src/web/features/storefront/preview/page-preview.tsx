import { Box } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Locale } from '#contract/core/text.ts';
import { draftPreviewPath } from '#contract/storefront/content.ts';
import { m } from '#messages';
import { Button } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import classes from './preview.module.css';
import { isPage, preparePage, replaceContent, revealElement } from './preview-document.ts';

export type PreviewWidth = 'desktop' | 'phone';

/** In CSS px. In a narrower pane, the page of a desktop is scaled down. */
const widthsPx: Record<PreviewWidth, number> = { desktop: 1280, phone: 390 };

interface PagePreviewProps {
	language: Locale;
	width: PreviewWidth;
	/** Changes when the draft on the server has changed. */
	revision: string;
	/** The element to which the page scrolls. A new object scrolls there again. */
	target: { selector: string };
}

/**
 * The landing page with the draft. The sandbox runs no scripts and sends no forms, so that a preview never counts as a
 * visit or an order. Updates replace the content of the open document, which keeps its scroll position.
 */
export function PagePreview({ language, width, revision, target }: PagePreviewProps) {
	const frame = useRef<HTMLIFrameElement>(null);
	const pane = useElementSize();
	const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
	const [shownRevision, setShownRevision] = useState(revision);
	const [attempt, setAttempt] = useState(0);
	const url = `${draftPreviewPath}?lang=${language}`;

	useEffect(() => {
		if (frame.current) revealElement(frame.current, target.selector);
	}, [target]);
	const finishLoading = () => {
		const page = frame.current?.contentDocument;
		if (!isPage(page)) return setState('failed');
		preparePage(page);
		setState('ready');
		if (frame.current) revealElement(frame.current, target.selector);
	};
	const refresh = useEffectEvent(async (signal: AbortSignal) => {
		try {
			const response = await fetch(url, { signal, headers: { Accept: 'text/html' } });
			if (!response.ok) throw new Error(String(response.status));
			const html = await response.text();
			if (signal.aborted || !frame.current) return;
			replaceContent(frame.current, html);
			setShownRevision(revision);
			setState('ready');
		} catch {
			if (!signal.aborted) setState('failed');
		}
	});
	const isOutdated = state !== 'loading' && shownRevision !== revision;
	// biome-ignore lint/correctness/useExhaustiveDependencies: a newer revision replaces the request for an older one.
	useEffect(() => {
		if (!isOutdated) return;
		const controller = new AbortController();
		void refresh(controller.signal);
		return () => controller.abort();
	}, [isOutdated, revision]);
	const retry = () => {
		setState('loading');
		setShownRevision(revision);
		setAttempt(attempt + 1);
	};

	const pageWidth = width === 'desktop' ? Math.max(widthsPx.desktop, pane.width) : widthsPx.phone;
	const scale = Math.min(1, pane.width / pageWidth);
	return (
		<div ref={pane.ref} className={classes.pane} data-width={width}>
			{pane.width > 0 && (
				<div className={classes.page} style={{ width: pageWidth * scale }}>
					<iframe
						key={attempt}
						ref={frame}
						src={url}
						title={m.editor_preview_title()}
						sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
						className={classes.frame}
						style={{ width: pageWidth, height: `${100 / scale}%`, transform: `scale(${scale})` }}
						onLoad={finishLoading}
					/>
				</div>
			)}
			{state === 'loading' && (
				<div className={classes.overlay} role="status" aria-label={m.common_loading()}>
					<Skeleton height="100%" />
				</div>
			)}
			{state === 'failed' && (
				<Box className={classes.overlay} p={16}>
					<Notice
						tone="negative"
						action={
							<Button size="small" onClick={retry}>
								{m.common_retry()}
							</Button>
						}
					>
						{m.editor_preview_failed()}
					</Notice>
				</Box>
			)}
		</div>
	);
}
