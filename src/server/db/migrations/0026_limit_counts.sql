CREATE UNLOGGED TABLE "limit_counts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"used" integer NOT NULL,
	"ends_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "limit_counts_end" ON "limit_counts" USING btree ("ends_at");