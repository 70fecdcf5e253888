import { vi } from 'vitest';

export interface Uploaded {
  /** Such as `PATCH /api/auth/user/user-1/`. */
  call: string;
  headers: Headers;
  form: FormData;
}

/** Replaces XMLHttpRequest. Without `answer`, each request fails as it does offline. */
export function fakeUpload(answer?: (form: FormData) => { status: number; body: unknown }): Uploaded[] {
  const uploaded: Uploaded[] = [];
  class FakeRequest {
    #call = '';
    #headers = new Headers();
    upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
    onload = () => {};
    onerror = () => {};
    status = 0;
    responseText = '';
    open(method: string, url: string) {
      this.#call = `${method} ${url}`;
    }
    setRequestHeader(name: string, value: string) {
      this.#headers.set(name, value);
    }
    getResponseHeader() {
      return null;
    }
    send(form: FormData) {
      uploaded.push({ call: this.#call, headers: this.#headers, form });
      queueMicrotask(() => {
        this.upload.onprogress?.({ loaded: 1, total: 2 });
        if (!answer) return this.onerror();
        const { status, body } = answer(form);
        this.status = status;
        this.responseText = JSON.stringify(body);
        this.onload();
      });
    }
  }
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  return uploaded;
}
