import type { DragEvent } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';

/** Marks a drag that started in this app; any other drop contains files to upload. */
const dragType = 'application/x-folio-nodes';
/** Browsers reveal the dragged data only on drop; within one page this variable holds the nodes earlier. */
const dragged: { nodes: Node[] } = { nodes: [] };

/** Starts dragging nodes; with several, the drag image shows their number. */
export function beginDrag(event: DragEvent, nodes: Node[]): void {
	dragged.nodes = nodes;
	event.dataTransfer.setData(dragType, String(nodes.length));
	event.dataTransfer.effectAllowed = 'move';
	if (nodes.length > 1) {
		const picture = document.createElement('div');
		picture.textContent = m.files_selected({ count: formatCount(nodes.length) });
		picture.className = 'drag-picture';
		document.body.append(picture);
		event.dataTransfer.setDragImage(picture, 12, 12);
		requestAnimationFrame(() => picture.remove());
	}
}

/** Drag handlers for an element that contains drop targets: elements with `data-drop-path`, the path of a folder. */
export function dropHandlers(onMove: (nodes: Node[], path: string) => void) {
	return {
		onDragOver: (event: DragEvent) => {
			const place = dropElementOf(event);
			if (place === undefined || !canDrop(place)) return;
			event.preventDefault();
			event.dataTransfer.dropEffect = 'move';
			place.dataset.drop = '';
		},
		onDragLeave: (event: DragEvent) => {
			const place = dropElementOf(event);
			if (place && !(event.relatedTarget instanceof Element && place.contains(event.relatedTarget)))
				delete place.dataset.drop;
		},
		onDrop: (event: DragEvent) => {
			const place = dropElementOf(event);
			if (place === undefined || !canDrop(place)) return;
			event.preventDefault();
			delete place.dataset.drop;
			onMove(dragged.nodes, place.dataset.dropPath ?? '');
			dragged.nodes = [];
		},
	};
}

function dropElementOf(event: DragEvent): HTMLElement | undefined {
	if (!event.dataTransfer.types.includes(dragType) || !(event.target instanceof Element)) return undefined;
	return event.target.closest<HTMLElement>('[data-drop-path]') ?? undefined;
}

/** Whether the dragged nodes may be dropped: not into their own folder, nor into a folder that is itself dragged. */
function canDrop(dropElement: HTMLElement): boolean {
	const path = dropElement.dataset.dropPath ?? '';
	const isMoving = dragged.nodes.some((node) => node.path !== path);
	return isMoving && !dragged.nodes.some((node) => node.realPath !== null && path.split('/').includes(node.realPath));
}
