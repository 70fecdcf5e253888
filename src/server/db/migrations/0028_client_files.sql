CREATE TABLE "client_files" (
	"key" text PRIMARY KEY NOT NULL,
	"encoding" text NOT NULL,
	"content" "bytea" NOT NULL,
	"used_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "client_files_used" ON "client_files" USING btree ("used_at");