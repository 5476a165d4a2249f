import { hash } from 'node:crypto';
import { constant, html, toText } from './html.ts';
import type { Html } from './html.ts';

/** A whole document, and what it may do. */
export interface Page {
  readonly html: Html;
  /** Its Content-Security-Policy. */
  readonly policy: string;
}

export interface Content {
  readonly title: string;
  readonly header: Html | null;
  readonly main: Html;
  readonly footer: Html | null;
  /** A constant of ours. */
  readonly style: string;
  /** A constant of ours, which adds comfort and nothing that is needed. */
  readonly script?: string;
  /** Whether the script asks our own host for news. */
  readonly asks?: boolean;
}

/** A document that loads nothing from anywhere and is not to be found by search engines. */
export function createPage({ title, header, main, footer, style, script, asks = false }: Content): Page {
  return {
    policy: policyOf(style, script, asks),
    html: html`<!doctype html>
      <html lang="pt-BR">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex, nofollow" />
          <meta name="format-detection" content="telephone=no" />
          <title>${title}</title>
          <link rel="icon" href="data:," />
          ${constant(`<style>${style}</style>`)}
        </head>
        <body>
          ${header}
          <main>${main}</main>
          ${footer} ${script === undefined ? null : constant(`<script>${script}</script>`)}
        </body>
      </html>`,
  };
}

/** The bytes to be sent. */
export function toBytes({ html: text }: Page): Buffer {
  return Buffer.from(toText(text));
}

/**
 * What a document may do: what was not written by us does not run, wherever it slipped in, and nothing is loaded from anywhere. Its style
 * and script are named by their hashes.
 */
function policyOf(style: string, script: string | undefined, asks: boolean): string {
  return [
    "default-src 'none'",
    `style-src ${digest(style)}`,
    ...(script === undefined ? [] : [`script-src ${digest(script)}`]),
    ...(asks ? ["connect-src 'self'"] : []),
    'img-src data:',
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

const digest = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;
